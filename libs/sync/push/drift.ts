import type { VerifiedEntry } from '../../commands/connector-commands.ts';
import type { Session } from '../../connector/contract.ts';
import { fingerprint } from '../../crypto/fingerprint.ts';
import { ENGINE_CAUSES } from '../../connector/engine-causes.ts';
import type { LedgerLine } from '../../store/orders/ledger.ts';
import type { DriftCause } from '../../store/orders/result.ts';
import type { Engine } from '../engine.ts';
import type { Write } from '../order.ts';

// The clocks of stores differ from ours. Only a change that comes this long after our own write is somebody else's.
const CLOCK_TOLERANCE_MS = 60_000;

/** Whether somebody changed or removed an entry after our last write, of which the ledger's row tells. */
export function isChangedOutside(
  { order, entry }: Pick<Write, 'order' | 'entry'>,
  found: Awaited<ReturnType<Session['read']>>,
  engine: Engine,
): boolean {
  const { valueFingerprint, writtenMsAgo } = entry;
  const writtenAt = writtenMsAgo === null ? null : new Date(Date.now() - writtenMsAgo);
  const value = found?.value ?? null;
  const print = value === null ? null : fingerprintOf({ associationId: order.id }, value, engine);
  const state = stateOf({ valueFingerprint, writtenAt }, found, print);
  return state === 'missing' || state === 'drifted';
}

/**
 * Whether what somebody has made of an entry is something that no plan, check or attempt has seen yet, and is lost if the
 * write goes on. `print`: see `stateOf`.
 */
export function isUnseen({ entry, fingerprint: wanted }: Write, print: string | null): boolean {
  const { foreignFingerprint: seen } = entry;
  if (seen === null) return print !== wanted;
  // Of a store that shows no values, what was seen has no fingerprint.
  return seen !== '' && print !== seen && print !== wanted;
}

export type DriftCode = 'changed_outside' | 'gone_outside';

/** The cause of a drift. */
export function driftCause(code: DriftCode): DriftCause {
  return { class: 'DRIFTED', code, message: ENGINE_CAUSES[code].message };
}

/** How an entry compares with what the ledger's row says of our last write. `print`: the keyed fingerprint of its value. */
export function stateOf(
  line: Pick<LedgerLine, 'valueFingerprint' | 'writtenAt'>,
  found: Awaited<ReturnType<Session['read']>>,
  print: string | null,
): VerifiedEntry['state'] {
  if (!found) return 'missing';
  if (found.owner === 'other' || found.isChangedByOthers) return 'drifted';
  if (print !== null) return print === line.valueFingerprint ? 'in_sync' : 'drifted';
  // The store's own times tell it exactly.
  if (found.isChangedByOthers === false) return 'present';
  const changed = found.changedAt && line.writtenAt && found.changedAt.getTime() - line.writtenAt.getTime();
  return changed !== null && changed > CLOCK_TOLERANCE_MS ? 'drifted' : 'present';
}

/** The keyed fingerprint of a value of an association, in hex. */
export function fingerprintOf(
  { associationId }: Pick<LedgerLine, 'associationId'>,
  value: string,
  { context }: Engine,
): string {
  return fingerprint(context.installation.hashKey, `entry/${associationId}`, value).toString('hex');
}
