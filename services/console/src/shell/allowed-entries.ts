import { useQuery } from '@tanstack/react-query';
import { mountsQuery } from '../api/queries.ts';
import { useAllowed } from '../kit/rights/allowed.ts';
import type { Place } from '../kit/rights/access-pages.ts';
import { ENTRIES, SECRETS, type Entry } from './entries.ts';

const ALL: Place[] = ENTRIES.flatMap((entry) => entry.pages ?? [entry]);

/** The entries of the navigation that the user has a right to; undefined while that is not known. */
export function useAllowedEntries(): Entry[] | undefined {
  const allowed = useAllowed(ALL);
  const { data: mounts, isPending } = useQuery(mountsQuery);
  if (!allowed || isPending) return undefined;
  const mayEnter = mounts === undefined || mounts.length > 0;
  return ENTRIES.flatMap((entry): Entry[] => {
    const pages = (entry.pages ?? [entry]).filter(
      (page) => allowed.includes(page) || (page.to === SECRETS && mayEnter),
    );
    return pages[0] ? [{ ...entry, to: pages[0].to, ...(entry.pages ? { pages } : {}) }] : [];
  });
}
