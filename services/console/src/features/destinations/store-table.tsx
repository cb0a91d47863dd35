import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { ServerOff } from 'lucide-react';
import { useVendors } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { lookOf, Status, STATUSES } from '../../kit/status.tsx';
import { Time, useNow } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import { isSilent } from './silence.ts';
import styles from './store-table.module.css';

/** The destinations, each with a bar of the statuses of its links. */
export function StoreTable({
  destinations,
  isPaused,
}: {
  destinations: DestinationSummaryAnswer[];
  isPaused: boolean;
}) {
  const vendorOf = useVendors();
  const now = useNow();
  return (
    <Table columns={['Destination', 'Links', 'Status', 'Oldest pending']}>
      {destinations.map((destination) => (
        <StoreRow
          key={`${destination.store_type}/${destination.store_name}`}
          destination={destination}
          vendor={vendorOf(destination.store_type)}
          isSilent={!isPaused && isSilent(destination, now)}
        />
      ))}
    </Table>
  );
}

function StoreRow({
  destination,
  vendor,
  isSilent: hasNoWorker,
}: {
  destination: DestinationSummaryAnswer;
  vendor: string;
  isSilent: boolean;
}) {
  const { store_type: type, store_name: name, total, by_status: counts } = destination;
  const worst = STATUSES.find((status) => (counts[status] ?? 0) > 0);
  return (
    <tr>
      <td>
        <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
          {type}/{name}
        </Link>
        {vendor ? <p className={`${kit.small} ${kit.muted}`}>{vendor}</p> : null}
        {destination.purge_initiated_at ? <p className={kit.muted}>Removing…</p> : null}
        {hasNoWorker ? (
          <p>
            <span className={`${kit.chip} ${kit.person}`}>
              <ServerOff size={15} aria-hidden />
              Worker not responding
            </span>
          </p>
        ) : null}
      </td>
      <td className={styles.total}>{total.toLocaleString('en')}</td>
      <td>
        <div className={kit.row}>
          <Bar counts={counts} total={total} />
          {worst ? (
            <Status status={worst} count={counts[worst] ?? 0} />
          ) : (
            <span className={kit.muted}>No links</span>
          )}
        </div>
      </td>
      <td>
        {destination.paused ? (
          'Paused'
        ) : destination.throttled_until ? (
          <>
            Rate limited, resumes <Time at={destination.throttled_until} />
          </>
        ) : destination.oldest_due_at ? (
          <Time at={destination.oldest_due_at} />
        ) : (
          <span className={kit.muted}>–</span>
        )}
      </td>
    </tr>
  );
}

// The bar only shows at a glance what the words beside it say.
function Bar({ counts, total }: { counts: Record<string, number>; total: number }) {
  return (
    <div className={styles.bar} aria-hidden>
      {STATUSES.toReversed().map((status) => {
        const count = counts[status] ?? 0;
        if (count === 0) return null;
        const style = { flexGrow: Math.max(count, total / 40) };
        return <span key={status} className={styles[lookOf(status).tone]} style={style} />;
      })}
    </div>
  );
}
