import type { PlannedStep } from '../../../commands/connector-commands.ts';
import type { LedgerEntry } from '../../../store/orders/order.ts';

/** What becomes of entries that cannot be written: their links fail. */
export const FAILING: ReadonlySet<PlannedStep['action']> = new Set(['conflict', 'taken', 'refused']);

type Key = Pick<LedgerEntry, 'subKey' | 'externalName'>;

/** The keys of the entries whose last attempt failed, for `failsAlready`. */
export function failedKeys(entries: LedgerEntry[]): Set<string> {
  return new Set(entries.filter(({ status }) => status.endsWith('_ERROR')).map(keyOf));
}

/** Whether an entry that cannot be written could not be before. */
export function failsAlready(step: PlannedStep, failed: ReadonlySet<string>): boolean {
  return FAILING.has(step.action) && failed.has(keyOf(step));
}

function keyOf({ subKey, externalName }: Key): string {
  return JSON.stringify([subKey, externalName]);
}
