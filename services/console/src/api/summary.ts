import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DestinationPageAnswer, SummaryAnswer } from '../../../api/contract/summary.ts';
import { call, currentNamespace } from './client.ts';
import { BUSY_MS, mayAskAgain, MOVING, QUIET_MS } from './polling.ts';
import { readAllowed, requireRight } from './rights.ts';
import type { Right } from './right.ts';

/** The right to the status of everything. */
export const SUMMARY: Right = { path: 'sys/sync/summary', capability: 'read' };

let known: { etag: string; answer: SummaryAnswer; namespace: string } | undefined;

/** Most destinations that the status of everything names. */
export const MOST_NAMED = 100;

/**
 * The status of everything, with the worst destinations by name. Asked every 2 s while something is moving, otherwise every 10 s, and never while the page
 * is hidden.
 */
export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: async ({ signal }): Promise<SummaryAnswer> => {
    await requireRight('sys/sync/summary');
    const namespace = currentNamespace();
    if (known?.namespace !== namespace) known = undefined;
    const headers: Record<string, string> = known ? { 'If-None-Match': known.etag } : {};
    const { status, data, etag } = await call<{ data: SummaryAnswer }>(
      'GET',
      `sys/sync/summary?most=${MOST_NAMED}`,
      {
        background: true,
        signal,
        headers,
      },
    );
    if (status === 304 && known) return known.answer;
    known = { etag: etag ?? '', answer: data.data, namespace };
    return data.data;
  },
  refetchInterval: ({ state }) => {
    if (!mayAskAgain(state)) return false;
    if (state.status === 'error')
      return Math.min(30_000, BUSY_MS * 2 ** Math.min(4, state.fetchFailureCount));
    const moving = MOVING.some((status) => (state.data?.by_status[status] ?? 0) > 0);
    return moving ? BUSY_MS : QUIET_MS;
  },
});

/** Which destinations a list shows, in which order; empty: all, by name. */
export type DestinationSearch = {
  q?: string | undefined;
  type?: string | undefined;
  status?: string | undefined;
  sort?: string | undefined;
  /** `below`: those of all namespaces that the user may see. */
  namespaces?: string | undefined;
};

/** The number of destinations on a page of a list. */
export const PAGE_DESTINATIONS = 100;

/** A page of destinations, with the status of each. Pages are numbered from 0. */
export const destinationsQuery = (search: DestinationSearch, page: number) =>
  queryOptions({
    queryKey: ['destinations', search, page],
    queryFn: ({ signal }) => {
      const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
      const query = new URLSearchParams({
        ...Object.fromEntries(given),
        limit: String(PAGE_DESTINATIONS),
        offset: String(page * PAGE_DESTINATIONS),
      });
      return readAllowed<DestinationPageAnswer>(`sys/sync/summary/destinations?${query.toString()}`, {
        background: true,
        signal,
        ...(search.namespaces === 'below' ? { namespace: null } : {}),
      });
    },
    placeholderData: keepPreviousData,
  });

/** The status of one destination; null if there is none. Asked as often as the status of everything. */
export const ownSummaryQuery = (type: string, name: string) =>
  queryOptions({
    queryKey: ['destination-summary', type, name],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type, name, limit: '1' });
      const { destinations } = await readAllowed<DestinationPageAnswer>(
        `sys/sync/summary/destinations?${query.toString()}`,
        { background: true, signal },
      );
      return destinations[0] ?? null;
    },
    refetchInterval: ({ state }) => {
      if (!mayAskAgain(state)) return false;
      const moving = MOVING.some((status) => (state.data?.by_status[status] ?? 0) > 0);
      return moving ? BUSY_MS : QUIET_MS;
    },
  });
