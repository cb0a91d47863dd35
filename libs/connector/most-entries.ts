import type { Destination } from './contract.ts';

/** Most entries that a container may hold; Infinity if there is no limit. */
export function mostEntries({ entries, entriesOf }: Destination['limits'], container: string): number {
  return entriesOf?.(container) ?? entries ?? Infinity;
}
