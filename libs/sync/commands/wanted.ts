import type { Session } from '../../connector/contract.ts';
import type { LedgerLine } from '../../store/orders/ledger.ts';
import { loadOrders } from '../../store/orders/load.ts';
import type { Engine } from '../engine.ts';
import { compareWithLedger } from '../push/prepare.ts';
import type { StoreAsker } from './asker.ts';
import { compareEntries, type ComparedLine } from './verify.ts';

/**
 * Compares external entries with the ledger, as `compareEntries` does. What differs from what we wrote, but is what the newest
 * version asks for, counts as in sync: a person has saved the store's value, and writing it loses nobody's change.
 */
export async function compareWithWanted(
  ledger: LedgerLine[],
  session: Session,
  engine: Engine,
  ask?: StoreAsker,
): Promise<ComparedLine[]> {
  const compared = await compareEntries(ledger, session, engine, ask);
  const open = compared.filter(isOpen);
  if (open.length === 0) return compared;
  const ids = new Set(open.map(({ line }) => line.associationId));
  const wanted = await findWanted([...ids], engine);
  return compared.map((one) => {
    const { print, version } = wanted.get(one.line.id) ?? {};
    if (!isOpen(one) || print !== one.found) return one;
    return { ...one, state: one.state === 'undeleted' ? one.state : 'in_sync', version };
  });
}

function isOpen({ state, isForeign, found, line }: ComparedLine): boolean {
  if (state === 'undeleted') return found !== null;
  return state === 'drifted' && !isForeign && found !== null && found !== line.valueFingerprint;
}

type Wanted = { print: string; version: number | undefined };

// What a push would write now, by the ids of the ledger's rows.
async function findWanted(associations: number[], engine: Engine): Promise<Map<number, Wanted>> {
  const unclaimed = associations.map((id) => ({ id, generation: 0, lease_token: 0 }));
  const orders = await loadOrders(engine.context.db, unclaimed);
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
