/** Statuses that fail. */
export const FAILING = ['CLIENT_SIDE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'];

/** How many links wait for a pause to end; `mayBeMore`: some that fail may wait, too, which their status does not tell. */
export type Waiting = { links: number; mayBeMore: boolean };

/** The same from the counts by status; `isDue`: something is due, or may be; `demands`: what people asked for of links that fail. */
export function waitingOf(
  counts: Record<string, number>,
  isDue: boolean,
  demands?: { failing: number; mayBeMore: boolean },
): Waiting {
  const failing = FAILING.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const known = demands?.failing ?? 0;
  return {
    links: (counts['PENDING'] ?? 0) + (counts['UNSYNCING'] ?? 0) + known,
    mayBeMore: (isDue && failing > known) || demands?.mayBeMore === true,
  };
}

/** What is said if no link is known to wait. */
export function noneText({ mayBeMore }: Waiting): string {
  return mayBeMore
    ? 'Changes may be waiting, also decisions about entries that aren’t managed by Sealift.'
    : 'No changes are waiting.';
}
