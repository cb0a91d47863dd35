import { useQuery } from '@tanstack/react-query';
import { isAtHome } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { mountsQuery } from '../api/queries.ts';
import { AUDIT, isOfSite } from '../api/right.ts';
import { capabilitiesQuery } from '../api/rights.ts';
import { SUMMARY } from '../api/summary.ts';
import { useAllowed, useRights } from '../kit/rights/allowed.ts';
import { SESSIONS, type Place } from '../kit/rights/access-pages.ts';
import { ENTRIES, SECRETS, type Entry } from './entries.ts';

// Every page of the navigation.
const PLACES: Place[] = ENTRIES.flatMap((entry) => entry.pages ?? [entry]);

/** Whether a page is the same in every namespace. */
export const isSitePage = ({ right }: Place): boolean => right !== undefined && isOfSite(right.path);

/** Whether the namespace of the address does not exist, or is none of the user's. The service does not say which. */
export function useIsNamespaceClosed(): boolean {
  const there = useQuery(capabilitiesQuery(SUMMARY));
  const atHome = useQuery(capabilitiesQuery(AUDIT));
  const isRefused = there.error instanceof ApiFailure && there.error.status === 403;
  // A user who may not ask what is allowed is refused everywhere.
  return !isAtHome() && isRefused && atHome.data !== undefined;
}

/** The entries of the navigation that the user has a right to; undefined while that is not known. */
export function useAllowedEntries(): Entry[] | undefined {
  const allowed = useAllowed(PLACES);
  const { data: mounts, isFetched } = useQuery(mountsQuery);
  const isClosed = useIsNamespaceClosed();
  if (!allowed || !isFetched) return undefined;
  const mayEnter = mounts === undefined || mounts.length > 0;
  const shown = ENTRIES.flatMap((entry): Entry[] => {
    const pages = (entry.pages ?? [entry]).filter(
      (page) =>
        (!isClosed || isSitePage(page)) && (allowed.includes(page) || (page.to === SECRETS && mayEnter)),
    );
    return pages[0] ? [{ ...entry, to: pages[0].to, ...(entry.pages ? { pages } : {}) }] : [];
  });
  // Whoever may see no more than everyone reads at the start whom to ask.
  const isNothing = isAtHome() && shown.every(({ to }) => to === SESSIONS.to);
  return isNothing ? [...ENTRIES.slice(0, 1), ...shown] : shown;
}

/** Whether the user has signed in without a right to anything that is not everyone's. */
export function useIsNewcomer(): boolean {
  const entries = useAllowedEntries();
  const mayOverview = useRights([SUMMARY]);
  return (
    isAtHome() &&
    mayOverview === false &&
    entries?.every(({ to }) => to === ENTRIES[0]?.to || to === SESSIONS.to) === true
  );
}
