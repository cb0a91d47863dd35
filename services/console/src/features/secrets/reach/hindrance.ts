import { useQueries, type QueryClient } from '@tanstack/react-query';
import { QUIET_MS } from '../../../api/polling.ts';
import type { SyncedToAnswer } from '../../../api/queries.ts';
import { ownSummaryQuery } from '../../../api/summary.ts';
import { titleOfCause } from '../../problems/cause-titles.ts';

/**
 * What keeps a change of a secret from a destination. `foreign`: how many of its entries there aren’t Sealift’s. `once`: what
 * has to end first; empty if nothing has.
 */
export type Hindrance = { foreign: 'none' | 'some' | 'all'; once: string };

/** The same for each destination of a secret, by type and name. */
export function useHindrances(links: SyncedToAnswer[]): Map<string, Hindrance> {
  const stores = storesOf(links);
  const summaries = useQueries({ queries: stores.map((store) => ownSummaryQuery(...partsOf(store))) });
  return new Map(
    stores.map((store, index) => [store, hindranceOf(entriesOf(links, store), summaries[index]?.data)]),
  );
}

/** The same for one destination. */
export async function readHindrance(
  queries: QueryClient,
  links: SyncedToAnswer[],
  store: string,
): Promise<Hindrance> {
  // Many secrets may have the same destination.
  const query = { ...ownSummaryQuery(...partsOf(store)), staleTime: QUIET_MS };
  const summary = await queries.fetchQuery(query).catch(() => null);
  return hindranceOf(entriesOf(links, store), summary);
}

/** The destinations of links, by type and name. */
export function storesOf(links: SyncedToAnswer[]): string[] {
  return [...new Set(links.map(({ type, name }) => `${type}/${name}`))];
}

function partsOf(store: string): [type: string, name: string] {
  const [type = '', name = ''] = store.split('/');
  return [type, name];
}

function entriesOf(links: SyncedToAnswer[], store: string): SyncedToAnswer[] {
  return links.filter(({ type, name }) => `${type}/${name}` === store);
}

function hindranceOf(entries: SyncedToAnswer[], summary: { held: unknown } | null | undefined): Hindrance {
  const codes = entries
    .filter(({ sync_status: status }) => status.endsWith('ERROR'))
    .flatMap(({ cause }) => (cause ? [cause.code] : []));
  const conflicts = codes.filter((code) => code === 'conflict').length;
  const other = codes.find((code) => code !== 'conflict');
  return {
    foreign: conflicts === 0 ? 'none' : conflicts < entries.length ? 'some' : 'all',
    once: summary?.held
      ? ' once the pause ends'
      : other === undefined
        ? ''
        : ` once “${titleOfCause(other)}” is resolved`,
  };
}
