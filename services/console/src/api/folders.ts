import { queryOptions } from '@tanstack/react-query';
import type { ReachableAnswer } from '../../../api/contract/secrets.ts';
import { readListAllowed } from './rights.ts';
import { pathOf, read } from './client.ts';
import { ApiFailure } from './failure.ts';

/** What the caller reaches in a folder. `refusal`: the folder itself may not be listed; thrown if nothing in it is reached. */
export async function readReachable(mount: string, folder: string, refusal: unknown): Promise<string[]> {
  if (!(refusal instanceof ApiFailure) || refusal.status !== 403) throw refusal;
  const query = new URLSearchParams({ mount, folder });
  const { keys } = await read<ReachableAnswer>(`sys/search/reachable?${query.toString()}`);
  if (keys.length === 0) throw refusal;
  return keys;
}

/** The names in a folder, as far as the caller may know them. */
export const folderQuery = (mount: string, folder: string) =>
  queryOptions({
    queryKey: ['folder', mount, folder],
    queryFn: async () => {
      const path = `${pathOf(mount)}/metadata/${pathOf(folder)}`;
      try {
        return (await readListAllowed<{ keys: string[] }>(`${path}?list=true`, { keys: [] })).keys;
      } catch (error) {
        return readReachable(mount, folder, error);
      }
    },
  });
