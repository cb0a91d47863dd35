import { queryOptions } from '@tanstack/react-query';
import { ONCE } from '../../../api/polling.ts';
import { readRows } from '../../../api/queries.ts';

// So many links are looked at.
const MOST = 100;

/** The mount that most links of a destination are from, as far as the first of them tell; null if it has none. */
export const usualMountQuery = (type: string, name: string) =>
  queryOptions({
    queryKey: ['usual-mount', type, name],
    queryFn: async () => {
      const { rows } = await readRows({ type, name }, {}, { after: '', limit: MOST, anchors: false });
      const counts = new Map<string, number>();
      for (const { mount } of rows) counts.set(mount, (counts.get(mount) ?? 0) + 1);
      const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
      return most?.[0] ?? null;
    },
    retry: false,
    ...ONCE,
  });

/** The mount in which the search for secrets begins: the usual one, else that which every installation begins with. */
export function firstMount(mounts: string[], usual?: string | null): string {
  const found = [usual, 'secret'].find((mount) => mount && mounts.includes(mount));
  return found ?? mounts[0] ?? '';
}
