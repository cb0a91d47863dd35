const FAILING = ['CLIENT_SIDE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'];

// All links with these wait.
const WAITING = ['PENDING', 'UNSYNCING'];

/** How many links wait for a pause to end; `mayBeMore`: some that fail or drift may wait, too, which their status does not tell. */
export type Waiting = { links: number; mayBeMore: boolean };

/**
 * The same from the counts by status; `isDue`: something is due, or may be; `demands`: the links of which people asked
 * something.
 */
export function waitingOf(
  counts: Record<string, number>,
  isDue: boolean,
  demands?: { links: { status: string }[]; mayBeMore: boolean },
): Waiting {
  const count = (statuses: string[]): number =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const demanded = (demands?.links ?? []).filter(({ status }) => !WAITING.includes(status));
  const failing = demanded.filter(({ status }) => FAILING.includes(status)).length;
  // What overwrites a drift counts as asked for.
  const unknown = count(demands ? FAILING : [...FAILING, 'DRIFTED']) - failing;
  return {
    links: count(WAITING) + demanded.length,
    mayBeMore: (isDue && unknown > 0) || demands?.mayBeMore === true,
  };
}

/** What is said if no link is known to wait. */
export function noneText({ mayBeMore }: Waiting): string {
  return mayBeMore
    ? 'Changes may be waiting, also decisions about entries that aren’t managed by Sealift.'
    : 'No changes are waiting.';
}
