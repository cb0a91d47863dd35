import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { MountAnswer, MountUsageAnswer, VisibleMountsAnswer } from '../../../../api/contract/mounts.ts';
import type { FolderAnswer, LimitsAnswer, SearchAnswer } from '../../../../api/contract/secrets.ts';
import { readAllowed, readListAllowed } from '../../api/rights.ts';
import { pathOf, read } from '../../api/client.ts';
import { readReachable } from '../../api/folders.ts';
import { ONCE, refresh } from '../../api/polling.ts';

const PAGE = 200;
const FOUND = 50;

/** `refusal`: the folder may not be listed; the keys are those that the caller reaches all the same. */
type Listing = FolderAnswer & { refusal?: unknown };

/** A folder page by page, with what the caller may know of each secret. */
export const listingQuery = (mount: string, folder: string) =>
  infiniteQueryOptions({
    queryKey: ['listing', mount, folder],
    queryFn: async ({ pageParam: after, signal }): Promise<Listing> => {
      const query = new URLSearchParams({ list: 'true', details: 'true', limit: String(PAGE) });
      if (after) query.set('after', after);
      const path = `${pathOf(mount)}/metadata/${pathOf(folder)}?${query.toString()}`;
      try {
        return await readListAllowed<Listing>(path, { keys: [] }, { signal, background: true });
      } catch (error) {
        return { keys: await readReachable(mount, folder, error), refusal: error };
      }
    },
    // A folder that may not be listed would be refused again.
    refetchInterval: (query) => !query.state.data?.pages[0]?.refusal && refresh(query),
    initialPageParam: '',
    getNextPageParam: ({ keys, refusal }) => (keys.length < PAGE || refusal ? undefined : keys.at(-1)),
  });

/** Secrets below a folder whose names have a text, page by page. */
export const findingQuery = (below: string, text: string) =>
  infiniteQueryOptions({
    queryKey: ['finding', below, text],
    queryFn: async ({ pageParam: after, signal }) => {
      const query = new URLSearchParams({ q: text, below, details: 'true', limit: String(FOUND) });
      if (after) query.set('after', after);
      return read<SearchAnswer>(`sys/search?${query.toString()}`, { signal, background: true });
    },
    initialPageParam: '',
    getNextPageParam: ({ next_after: after }) => after ?? undefined,
    enabled: text !== '',
  });

/** Mounts with their descriptions, by path without the last slash. */
export const describedMountsQuery = queryOptions({
  queryKey: ['mounts', 'described'],
  queryFn: async () => {
    const { secret } = await read<VisibleMountsAnswer>('sys/internal/ui/mounts');
    return Object.entries(secret)
      .map(([path, mount]): [string, MountAnswer] => [path.replace(/\/$/, ''), mount])
      .filter(([, mount]) => mount.options?.['version'] === '2')
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
  },
});

/** The limits that a mount sets for all its secrets. */
export const mountLimitsQuery = (mount: string) =>
  queryOptions({
    queryKey: ['mount-limits', mount],
    queryFn: () => readAllowed<LimitsAnswer>(`${pathOf(mount)}/config`),
  });

/** What a mount would lose by another maximum of versions. */
export const mountLossQuery = (mount: string, most: number) =>
  queryOptions({
    queryKey: ['mount-usage', mount, most],
    queryFn: () => readAllowed<MountUsageAnswer>(`sys/mount-usage/${pathOf(mount)}?max_versions=${most}`),
    staleTime: 0,
    ...ONCE,
  });

/** What would be lost with a mount. */
export const mountUsageQuery = (mount: string) =>
  queryOptions({
    queryKey: ['mount-usage', mount],
    queryFn: () => read<MountUsageAnswer>(`sys/mount-usage/${pathOf(mount)}`),
    staleTime: 0,
    ...ONCE,
  });
