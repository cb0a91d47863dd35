import type { Session } from '../../connector/contract.ts';
import type { LedgerLine } from '../../store/orders/ledger.ts';
import { loadOrders } from '../../store/orders/load.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import type { Engine } from '../engine.ts';
import { compareWithLedger } from '../push/prepare.ts';
import type { StoreAsker } from './asker.ts';
import { findTried } from './tried-values.ts';
import { compareEntries, type ComparedLine } from './verify.ts';

/**
 * Compares external entries with the ledger, as `compareEntries` does. What differs from what we wrote, but is what the newest
 * version asks for, counts as in sync: a person has saved the store's value, and writing it loses nobody's change. What
 * we can never have written, while our last write is not confirmed, is somebody else's.
 */
export async function compareWithWanted(
  ledger: LedgerLine[],
  session: Session,
  engine: Engine,
  ask?: StoreAsker,
): Promise<ComparedLine[]> {
  const compared = await compareEntries(ledger, session, engine, ask);
  const doubtful = compared.filter((one) => isOpen(one) || isUnconfirmed(one));
  if (doubtful.length === 0) return compared;
  const ids = new Set(doubtful.map(({ line }) => line.associationId));
  const orders = await findOrders([...ids], engine);
  const wanted = findWanted(orders, engine);
  const tried = await findOwn(compared.filter(isUnconfirmed), orders, engine);
  return compared.map((one) => {
    const isTried = tried.get(one.line.id);
    if (isTried !== undefined)
      return isTried ? { ...one, isTried } : { ...one, state: 'drifted', cause: null };
    const { print, version } = wanted.get(one.line.id) ?? {};
    if (!isOpen(one) || print !== one.found) return one;
    return { ...one, state: one.state === 'undeleted' ? one.state : 'in_sync', version };
  });
}

function isOpen({ state, isForeign, found, line }: ComparedLine): boolean {
  if (state === 'undeleted') return found !== null;
  return state === 'drifted' && !isForeign && found !== null && found !== line.valueFingerprint;
}

// After a write that failed, the store may have the value before it or the new one.
function isUnconfirmed({ state, found }: ComparedLine): boolean {
  return state === 'unknown' && found !== null;
}

type Wanted = { print: string; version: number | undefined };

// What a push would write now.
async function findOrders(associations: number[], { context }: Engine): Promise<WorkOrder[]> {
  const unclaimed = associations.map((id) => ({ id, generation: 0, lease_token: 0 }));
  return loadOrders(context.db, unclaimed);
}

// The values of that, by the ids of the ledger's rows.
function findWanted(orders: WorkOrder[], engine: Engine): Map<number, Wanted> {
  return new Map(
    orders.flatMap((order) => {
      // Whoever withdraws an unlinking that waits gets what the secret has.
      const compared = compareWithLedger({ ...order, removing: false }, engine);
      const targets = 'targets' in compared ? compared.targets : [];
      const version = order.source?.secretVersion;
      return targets.flatMap(({ entry, fingerprint: print }) =>
        entry ? [[entry.id, { print, version }] as const] : [],
      );
    }),
  );
}

// Whether they have a value that a push of ours may have written, by the ids of the ledger's rows; otherwise somebody has
// changed them since. Those are left out of which that cannot be told.
async function findOwn(
  unconfirmed: ComparedLine[],
  orders: WorkOrder[],
  engine: Engine,
): Promise<Map<number, boolean>> {
  const found = new Map<number, boolean>();
  for (const order of orders) {
    const own = unconfirmed.filter(({ line }) => line.associationId === order.id);
    const tried = own.length > 0 ? await findTried(order, engine) : undefined;
    if (!tried) continue;
    for (const { line, found: print } of own)
      found.set(line.id, print !== null && tried.get(line.subKey)?.has(print) === true);
  }
  return found;
}
