const FAILING = ['CLIENT_SIDE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'];

/** How many links wait for a pause to end; `mayBeMore`: some that fail may wait, too, which their status does not tell. */
export type Waiting = { links: number; mayBeMore: boolean };

/** The same from the counts by status; `isDue`: something is due, or may be. */
export function waitingOf(counts: Record<string, number>, isDue: boolean): Waiting {
  return {
    links: (counts['PENDING'] ?? 0) + (counts['UNSYNCING'] ?? 0),
    mayBeMore: isDue && FAILING.some((status) => (counts[status] ?? 0) > 0),
  };
}

/** What is said if no link is known to wait. */
export function noneText({ mayBeMore }: Waiting): string {
  return mayBeMore
    ? 'Changes may be waiting, also decisions about entries that aren’t managed by Sealift.'
    : 'No changes are waiting.';
}
