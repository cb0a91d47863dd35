import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';

/** A retry that the user asked for; a cause limits it to the links that failed with it. */
type Retry = { type: string; name: string; cause: string | undefined; at: number };

// Stays when the row of the problem goes, because that says nothing about the result.
let latest: Retry | null = null;
const listeners = new Set<() => void>();

function become(next: Retry | null): void {
  latest = next;
  for (const listener of listeners) listener();
}

/** Remembers a retry, whose result is then shown. */
export function noteRetry(retry: Omit<Retry, 'at'>): void {
  become({ ...retry, at: Date.now() });
}

/** What came of the latest retry. */
export function RetryResult() {
  const retry = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => latest,
  );
  if (!retry) return null;
  return <ResultOf retry={retry} />;
}

function ResultOf({ retry }: { retry: Retry }) {
  const nameOf = useDestinationName();
  const { data, dataUpdatedAt } = useQuery(ownSummaryQuery(retry.type, retry.name));
  const left = dataUpdatedAt > retry.at ? leftOf(data ?? null, retry) : null;
  const store = nameOf(retry.type, retry.name);
  if (left === null) return <Notice tone="info">Retrying links of {store}…</Notice>;
  return (
    <Notice tone={left === 0 ? 'ok' : 'person'}>
      Retried links of {store}:{' '}
      {left === 0 ? 'none is failing any more.' : `${counted(left, 'link')} still failing.`}{' '}
      <Button kind="quiet" onClick={() => become(null)}>
        Dismiss
      </Button>
    </Notice>
  );
}

// How many links still fail; null while some of them are under way.
function leftOf(own: DestinationSummaryAnswer | null, { cause }: Retry): number | null {
  const moving = ['PENDING', 'SYNCING', 'UNSYNCING'].some((status) => (own?.by_status[status] ?? 0) > 0);
  if (moving) return null;
  return (own?.problems ?? [])
    .filter((problem) => cause === undefined || problem.cause?.code === cause)
    .reduce((sum, { count }) => sum + count, 0);
}
