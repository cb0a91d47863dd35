import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

const MOST_RETRIES = 2;

/** What the page has read; in memory only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // By default, a component renders anew only for what it has read of a result. A page passes its results on to parts that
      // are shown, and read them, only once its rights are known.
      notifyOnChangeProps: 'all',
      // Retries only if there was no answer. What the API has refused, it would refuse again.
      retry: (count, error) => count < MOST_RETRIES && error instanceof ApiFailure && error.status === 0,
    },
  },
});
