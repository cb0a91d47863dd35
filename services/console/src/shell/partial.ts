import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiFailure } from '../api/failure.ts';

/** Whether the service failed to answer a call whose data the page shows, as the last one of its kind ended. */
export function useIsPartial(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(notifyManager.batchCalls(changed)),
    () => cache.findAll({ type: 'active', predicate: hasFailed }).length > 0,
  );
}

// A refusal is an answer too: the page says what it means.
function hasFailed({ state: { status, error } }: Query): boolean {
  if (status !== 'error') return false;
  return !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500;
}
