import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';
import { refresh } from './polling.ts';

const MOST_RETRIES = 2;

/** What the page has read; in memory only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      refetchInterval: refresh,
      // By default, a component renders again only when a property of the result changes that it has read. A page passes the
      // result to parts that are not rendered, and so read nothing, until its rights are known.
      notifyOnChangeProps: 'all',
      // Retries only if there was no answer. What the API has refused, it would refuse again.
      retry: (count, error) => count < MOST_RETRIES && error instanceof ApiFailure && error.status === 0,
    },
  },
});
