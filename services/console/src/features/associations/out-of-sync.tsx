import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import kit from '../../kit/kit.module.css';
import { Lasting, useNow } from '../../kit/time.tsx';

// Most changes have reached the store by then.
const MOMENT_MS = 2000;

/** For how long the store has lacked what it should have, whatever has been the matter since. */
export function OutOfSync({ records, isFailing }: { records: RecordAnswer[]; isFailing: boolean }) {
  const now = Math.max(useNow(1000), Date.now());
  const [since] = records.flatMap(({ out_of_sync_since: time }) => time ?? []).toSorted();
  if (since === undefined || (!isFailing && now - new Date(since).getTime() < MOMENT_MS)) return null;
  return (
    <span className={kit.muted}>
      Out of sync for <Lasting since={since} />
    </span>
  );
}
