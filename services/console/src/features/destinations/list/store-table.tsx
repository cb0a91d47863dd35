import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../../api/contract/summary.ts';
import { ServerOff } from 'lucide-react';
import { useVendors } from '../../../api/vendors.ts';
import kit from '../../../kit/kit.module.css';
import { lookOf, STATUSES } from '../../../kit/status.tsx';
import { Lasting, Time, useNow } from '../../../kit/time.tsx';
import { Table } from '../../../kit/table.tsx';
import { isSilent } from '../../pauses/silence.ts';
import { WorstStatus } from './worst-status.tsx';
import styles from './store-table.module.css';

/** The destinations, each with a bar of the statuses of its links. */
export function StoreTable({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  const vendorOf = useVendors();
  const now = useNow();
  return (
    <Table columns={['Destination', 'Links', 'Status', 'Out of sync']}>
      {destinations.map((destination) => (
        <StoreRow
          key={`${destination.store_type}/${destination.store_name}`}
          destination={destination}
          vendor={vendorOf(destination.store_type)}
          isSilent={isSilent(destination, now)}
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
  const { store_type: type, store_name: name, total } = destination;
  return (
    <tr>
      <td>
        <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
          {name}
        </Link>
        {vendor ? <p className={`${kit.small} ${kit.muted}`}>{vendor}</p> : null}
        {destination.purge_initiated_at ? <p className={kit.muted}>Removing…</p> : null}
        {hasNoWorker ? (
          <p>
            <Silence />
          </p>
        ) : null}
      </td>
      <td className={styles.total}>{total.toLocaleString('en')}</td>
      <td>
        <div className={kit.row}>
          <StatusBar destination={destination} />
        </div>
      </td>
      <td>
        <Oldest destination={destination} />
      </td>
    </tr>
  );
}

/** Nobody takes the changes of a destination. */
export function Silence() {
  return (
    <span className={`${kit.chip} ${kit.person}`}>
      <ServerOff size={15} aria-hidden />
      Worker not responding
    </span>
  );
}

/** The statuses of the links of a destination at a glance, and the worst of them in words. */
export function StatusBar({ destination }: { destination: DestinationSummaryAnswer }) {
  const { total, by_status: counts } = destination;
  return (
    <>
      {total > 0 ? <Bar counts={counts} total={total} /> : null}
      <WorstStatus of={destination} />
    </>
  );
}

/** Since when a destination is behind: what fails there, or else what waits, and why. */
export function Oldest({ destination }: { destination: DestinationSummaryAnswer }) {
  const { held, throttled_until: until, oldest_due_at: oldest, by_status: counts, problems } = destination;
  const isFailing = problems.some(({ since }) => since !== null);
  if (held && !isFailing) return isBehind(counts) ? wordOf(held.code) : <span className={kit.muted}>–</span>;
  if (until && !held)
    return (
      <>
        Rate limited, resumes <Time at={until} isEnd />
      </>
    );
  if (isFailing)
    return (
      <>
        <Failing problems={problems} />
        {held ? ` (${wordOf(held.code).toLowerCase()})` : null}
      </>
    );
  if (!oldest) return <span className={kit.muted}>–</span>;
  return (
    <>
      Pending for <Lasting since={oldest} />
    </>
  );
}

function Failing({ problems }: Pick<DestinationSummaryAnswer, 'problems'>) {
  const times = problems.flatMap(({ since }) => (since ? [new Date(since).getTime()] : []));
  return (
    <>
      {problems.every(({ sync_status: status }) => status === 'DRIFTED') ? 'Drifted' : 'Failing'} for{' '}
      <Lasting since={new Date(Math.min(...times)).toISOString()} />
    </>
  );
}

const AT_REST = new Set(['SYNCED', 'UNSYNCED']);

function isBehind(counts: Record<string, number>): boolean {
  return Object.entries(counts).some(([status, count]) => count > 0 && !AT_REST.has(status));
}

// The code of a hold is a word, or some: `paused`.
function wordOf(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
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
