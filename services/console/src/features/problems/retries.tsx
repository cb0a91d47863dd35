import { lazy, Suspense } from 'react';
import { showResult } from '../../kit/results/latest.tsx';
import type { Retry } from './left.ts';

// Nothing is retried yet when a page opens.
const RetryResult = lazy(async () => ({ default: (await import('./retry-result.tsx')).RetryResult }));

/** Remembers a retry, whose result is then shown. */
export function noteRetry(retry: Omit<Retry, 'since'>): void {
  const since = Date.now();
  showResult(
    // Each has its own end.
    <Suspense key={since} fallback={null}>
      <RetryResult retry={{ ...retry, since }} />
    </Suspense>,
  );
}
