import kit from '../../kit/kit.module.css';
import { Time, useNow } from '../../kit/time.tsx';

/** When what failed is tried again. A time that is over only means that its turn comes. */
export function NextAttempt({ at }: { at: string | Date }) {
  const now = Math.max(useNow(), Date.now());
  if (new Date(at).getTime() <= now) return 'retry due';
  return (
    <>
      retries <Time at={at} />
    </>
  );
}

const RUNNING = new Set(['SYNCING', 'UNSYNCING']);

/** The same of a link whose last attempt failed, or that is held back (`isHeld`), also while its next attempt is due or runs. */
export function NextOfLink({
  of: { sync_status: status, next_attempt_at: next, last_failure: last, cause },
  isHeld,
}: {
  of: {
    sync_status: string;
    next_attempt_at: string | null;
    last_failure?: object | undefined;
    cause: { code: string } | null;
  };
  isHeld: boolean;
}) {
  // It is tried again by itself, as soon as its turn comes.
  if (next === null && !last && cause?.code !== 'rate_limited') return null;
  return (
    <span className={kit.muted}>
      {next === null ? (
        RUNNING.has(status) ? (
          'the next try runs now'
        ) : (
          'retry due'
        )
      ) : isHeld ? (
        <>
          resumes <Time at={next} isEnd />
        </>
      ) : (
        <NextAttempt at={next} />
      )}
    </span>
  );
}
