import { mayStillEnd } from '../../../../libs/telling/outcome.ts';

/**
 * Whether a query may ask again by itself. Not if the caller turned out to have no right to it: each refusal stands in
 * the audit trail, and would bury those that matter there.
 */
export function mayAskAgain(state: { error: Error | null }): boolean {
  return (state.error as { status?: number } | null)?.status !== 403;
}

/** How often a page asks again while something is moving, in milliseconds. */
export const BUSY_MS = 2000;
/** The statuses that change by themselves. */
export const MOVING = ['PENDING', 'SYNCING', 'UNSYNCING'];
/** How often a page asks again otherwise. */
export const QUIET_MS = 10_000;

/** For a query of a dialog or a picker, which asks when it opens and then no more. */
export const ONCE = { refetchInterval: false } as const;

/** A query, as far as it matters here. */
type Asked = { state: { data?: unknown; error: Error | null } };

/** How often a query asks again by default, so that no page shows old data as current. */
export function refresh({ state }: Asked): number | false {
  return mayAskAgain(state) && isShort(state.data) && QUIET_MS;
}

// Many pages are read again only when the user asks.
function isShort(data: unknown): boolean {
  return ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= 1;
}

/** The same, and every second while one of the entries that it shows may still end. */
export function untilEnded(
  query: Asked,
  entries: { outcome: string; at: string | Date }[] = [],
): number | false {
  if (!mayAskAgain(query.state)) return false;
  return entries.some((entry) => mayStillEnd(entry)) ? 1000 : refresh(query);
}
