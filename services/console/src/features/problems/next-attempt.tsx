import kit from '../../kit/kit.module.css';
import { Time, useNow } from '../../kit/time.tsx';

const SECOND_MS = 1000;
const STORE_TRIED = 'Sealift tries the store again within half a minute';
const OF_STORE = 'EXTERNAL_SERVICE_ERROR';

/**
 * When what failed is tried again; a time that is over, or all but over, only means that its turn comes. `isEarliest`: a worker
 * may wait up to half a minute more, because its store fails as a whole. Then it tries the store with one of its links.
 */
export function NextAttempt({ at, isEarliest }: { at: string | Date; isEarliest: boolean }) {
  const now = Math.max(useNow(SECOND_MS), Date.now());
  if (new Date(at).getTime() - now <= SECOND_MS) return isEarliest ? STORE_TRIED : 'retry due';
  return (
    <>
      retries <Time at={at} />
      {isEarliest ? ' at the earliest' : null}
    </>
  );
}

const RUNNING = new Set(['SYNCING', 'UNSYNCING']);
const MOMENT_MS = 10_000;

/** The same of a link whose last attempt failed, or that is held back (`isHeld`), also while its next attempt is due or runs. */
export function NextOfLink({
  of: { sync_status: status, next_attempt_at: next, last_failure: last },
  isHeld,
  isLimited,
}: {
  of: { sync_status: string; next_attempt_at: string | null; last_failure?: { class: string } | undefined };
  isHeld: boolean;
  /** By the rate limit of its store. */
  isLimited: boolean;
}) {
  const now = Math.max(useNow(), Date.now());
  if (next === null && !last && !isLimited) return null;
  return <span className={kit.muted}>{nextText()}</span>;

  function nextText() {
    // Most stores name no time, and each try may be refused again: its outcome would change faster than anyone reads.
    if (isLimited && (next === null || new Date(next).getTime() - now <= MOMENT_MS))
      return 'tried again within seconds';
    const isEarliest = [status, last?.class].includes(OF_STORE);
    if (next === null) {
      if (RUNNING.has(status)) return 'retrying now';
      return isEarliest ? STORE_TRIED : 'retry due';
    }
    // Nothing has failed: what was done is done once more.
    if (!isHeld && RUNNING.has(status))
      return (
        <>
          {status === 'SYNCING' ? 'written' : 'checked'} once more <Time at={next} isEnd />
        </>
      );
    if (!isHeld) return <NextAttempt at={next} isEarliest={isEarliest} />;
    return (
      <>
        resumes <Time at={next} isEnd />
      </>
    );
  }
}
