const FAILING = ['CLIENT_SIDE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'];

/** How many links wait for a pause to end; `mayBeMore`: some that fail or drift may wait, too, which their status does not tell. */
export type Waiting = { links: number; mayBeMore: boolean };

/** What people asked for: of how many links that fail, or drift; `mayBeMore`: only a part was read. */
export type Demands = { failing: number; drifted: number; mayBeMore: boolean };

/** The same from the statuses of the links that people asked something for. */
export function demandsOf(statuses: string[], mayBeMore: boolean): Demands {
  const failing = statuses.filter((status) => FAILING.includes(status)).length;
  const drifted = statuses.filter((status) => status === 'DRIFTED').length;
  return { failing, drifted, mayBeMore };
}

/** What waits, by the counts by status; `isDue`: something is due, or may be. */
export function waitingOf(counts: Record<string, number>, isDue: boolean, demands?: Demands): Waiting {
  const count = (statuses: string[]): number =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  // What overwrites a drift counts as asked for.
  const unknown = demands ? count(FAILING) - demands.failing : count([...FAILING, 'DRIFTED']);
  return {
    links: count(['PENDING', 'UNSYNCING']) + (demands ? demands.failing + demands.drifted : 0),
    mayBeMore: (isDue && unknown > 0) || demands?.mayBeMore === true,
  };
}

/** What is said if no link is known to wait. */
export function noneText({ mayBeMore }: Waiting): string {
  return mayBeMore
    ? 'Changes may be waiting, also decisions about entries that aren’t managed by Sealift.'
    : 'No changes are waiting.';
}
