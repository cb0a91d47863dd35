import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import kit from '../../kit/kit.module.css';
import { lookOf, Status, STATUSES } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import styles from './store-table.module.css';

/** The destinations, each with a bar of the statuses of its links. */
export function StoreTable({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  return (
    <Table columns={['Store', 'Links', 'Status of the links', 'Oldest waiting']}>
      {destinations.map((destination) => (
        <StoreRow key={`${destination.store_type}/${destination.store_name}`} destination={destination} />
      ))}
    </Table>
  );
}

function StoreRow({ destination }: { destination: DestinationSummaryAnswer }) {
  const { store_type: type, store_name: name, total, by_status: counts } = destination;
  const worst = STATUSES.find((status) => (counts[status] ?? 0) > 0);
  return (
    <tr>
      <td>
        <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
          {type}/{name}
        </Link>
        {destination.purge_initiated_at ? <p className={kit.muted}>is being removed</p> : null}
      </td>
      <td className={styles.total}>{total.toLocaleString('en')}</td>
      <td>
        <div className={kit.row}>
          <Bar counts={counts} total={total} />
          {worst ? (
            <Status status={worst} count={counts[worst] ?? 0} />
          ) : (
            <span className={kit.muted}>no link</span>
          )}
        </div>
      </td>
      <td>
        {destination.throttled_until ? (
          <>
            store limits, goes on <Time at={destination.throttled_until} />
          </>
        ) : destination.oldest_due_at ? (
          <Time at={destination.oldest_due_at} />
        ) : (
          <span className={kit.muted}>nothing waits</span>
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
