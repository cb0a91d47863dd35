import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { mayAskAgain } from '../api/polling.ts';
import { SUMMARY, summaryQuery } from '../api/summary.ts';
import { useAllowed } from '../kit/rights/allowed.ts';
import { describeSeconds, describeTime, useNow } from '../kit/time.tsx';
import { lookUpSession } from '../session/session.ts';
import styles from './shell.module.css';
import { useIsPartial } from './partial.ts';

// Two updates in a row are missing.
const STALE_MS = 20_000;

// Tells whether the service answers, to a caller who has no right to the summary.
const pulseQuery = queryOptions({
  queryKey: ['pulse'],
  queryFn: async () => {
    const { status } = await call('GET', 'auth/session', { background: true });
    // Nothing else on the page may ask for long, and a revoked token must not leave its page open.
    if (status !== 200) void lookUpSession();
    return status;
  },
  refetchInterval: STALE_MS / 2,
});

export type Freshness = {
  /** When the data of the page were updated, in ms since 1970; 0 if they were not. */
  updatedAt: number;
  seconds: number;
  /** They may be wrong by now. */
  isStale: boolean;
  /** Some of them could not be loaded. */
  isPartial: boolean;
};

/** How old the data of the page are. Every page asks for the summary; a refusal is an answer too. */
export function useFreshness(): Freshness {
  const allowed = useAllowed([{ right: SUMMARY }]);
  const summary = useQuery({ ...summaryQuery, enabled: allowed?.length === 1 });
  const { dataUpdatedAt, errorUpdatedAt } = summary;
  const isRefused = allowed?.length === 0 || !mayAskAgain(summary);
  const pulse = useQuery({ ...pulseQuery, enabled: isRefused });
  const { error } = isRefused ? pulse : summary;
  const now = useNow(1000);
  // The next call forgets the refusal.
  const [refusedAt, setRefusedAt] = useState(0);
  const isAnswered = error instanceof ApiFailure && error.status !== 0;
  if (isAnswered && error.status < 500 && refusedAt !== errorUpdatedAt) setRefusedAt(errorUpdatedAt);
  const answeredAt = (isRefused ? pulse.dataUpdatedAt : dataUpdatedAt) || refusedAt;
  const age = answeredAt === 0 ? 0 : Math.max(0, now - answeredAt);
  const isUnreachable = error !== null && !isAnswered;
  const isPartial = useIsPartial();
  return {
    updatedAt: dataUpdatedAt,
    seconds: Math.round(age / 1000),
    isStale: isUnreachable || age > STALE_MS,
    isPartial,
  };
}

/** The age of the data, while they are fresh and complete. */
export function Age({ updatedAt, seconds, isStale, isPartial }: Freshness) {
  const said = isPartial
    ? 'Some data could not be loaded'
    : updatedAt === 0
      ? ''
      : `Updated ${describeSeconds(seconds)} ago`;
  return (
    <span className={`${styles.age} ${isPartial ? styles.partial : ''}`}>
      {said === '' || isStale ? null : (
        <>
          <span className={styles.dot} aria-hidden />
          <span className={styles.fresh}>{said}</span>
        </>
      )}
    </span>
  );
}

/** Says on every page, and on every screen, that its data are old. */
export function Lost({ updatedAt }: Freshness) {
  const time = updatedAt === 0 ? '' : ` Last updated ${describeTime(new Date(updatedAt))}.`;
  return (
    <div className={styles.banner} role="alert">
      Connection lost.{time}
    </div>
  );
}
