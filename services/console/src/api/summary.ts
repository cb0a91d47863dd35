import { queryOptions } from '@tanstack/react-query';
import type { SummaryAnswer } from '../../../api/contract/summary.ts';
import { call, currentNamespace } from './client.ts';

const BUSY_MS = 2000;
const QUIET_MS = 10_000;
const MOVING = ['PENDING', 'SYNCING', 'UNSYNCING'];

let known: { etag: string; answer: SummaryAnswer; namespace: string } | undefined;

/**
 * The status of everything. Asked every 2 s while something is moving, otherwise every 10 s, and never while the page
 * is hidden.
 */
export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: async ({ signal }): Promise<SummaryAnswer> => {
    const namespace = currentNamespace();
    if (known?.namespace !== namespace) known = undefined;
    const headers: Record<string, string> = known ? { 'If-None-Match': known.etag } : {};
    const { status, data, etag } = await call<{ data: SummaryAnswer }>('GET', 'sys/sync/summary', {
      background: true,
      signal,
      headers,
    });
    if (status === 304 && known) return known.answer;
    known = { etag: etag ?? '', answer: data.data, namespace };
    return data.data;
  },
  refetchInterval: ({ state }) => {
    if (state.status === 'error')
      return Math.min(30_000, BUSY_MS * 2 ** Math.min(4, state.fetchFailureCount));
    const moving = MOVING.some((status) => (state.data?.by_status[status] ?? 0) > 0);
    return moving ? BUSY_MS : QUIET_MS;
  },
});
