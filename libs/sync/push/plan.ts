import { fingerprint } from '../../crypto/fingerprint.ts';
import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Destination } from '../../connector/contract.ts';
import { externalName, ledgerKey, type NameSource } from '../../connector/names.ts';
import type { SourceValue } from '../../connector/source-values.ts';
import type { NamedValue, Plan, PlanComparison, RefusedKey } from '../order.ts';

/** The plan of an order for which nothing is known yet. */
export function beginPlan(order: WorkOrder): Plan {
  return { order, isReserved: false, writes: [], refused: [], leftover: [], outcomes: [] };
}

/**
 * Compares the desired values with the ledger, without a call or the database. `values` is empty if nothing must be
 * outside.
 */
export function planOrder(
  order: Pick<WorkOrder, 'id' | 'entries'> & Omit<NameSource, 'type' | 'subKey'>,
  values: SourceValue[],
  planner: { destination: Destination; hashKey: Buffer },
): PlanComparison {
  const targets: NamedValue[] = [];
  const refused: RefusedKey[] = [];
  const byKey = new Map(
    order.entries.flatMap((entry) => (entry.nameKey === null ? [] : [[entry.nameKey, entry]])),
  );
  const refuse = (subKey: string, name: string, code: string, message: string): void => {
    refused.push({ subKey: ledgerKey(subKey), name, code, message, retry: 'never' });
  };
  const named = values.flatMap(({ subKey, value }): Named[] => {
    const result = externalName({ type: planner.destination, ...order, subKey });
    if ('fault' in result) refuse(subKey, '', 'name_invalid', result.fault);
    return 'fault' in result ? [] : [{ subKey, value, ...result }];
  });
  const winners = findWinners(named, byKey);
  for (const { subKey, value, name, nameKey } of named) {
    const winner = winners.get(nameKey) ?? subKey;
    const bytes = Buffer.byteLength(value);
    const fault = valueFault(value, bytes, planner.destination.limits);
    if (winner !== subKey) {
      refuse(
        subKey,
        name,
        'name_collision',
        `the keys ${quote(winner)} and ${quote(subKey)} would both be written as ${name}`,
      );
    } else if (fault) {
      refuse(subKey, name, fault.code, fault.message);
    } else {
      const hash = fingerprint(planner.hashKey, `entry/${order.id}`, value).toString('hex');
      targets.push({ subKey, value, fingerprint: hash, bytes, name, nameKey, entry: byKey.get(nameKey) });
    }
  }
  const leftover = order.entries.filter((entry) => entry.nameKey === null || !winners.has(entry.nameKey));
  return { targets, refused, leftover };
}

// A store would take some of these values and keep another one: half of a character becomes U+FFFD on the way.
function valueFault(
  value: string,
  bytes: number,
  { valueBytes, refuses }: Destination['limits'],
): { code: string; message: string } | undefined {
  if (bytes > valueBytes)
    return {
      code: 'value_too_large',
      message: `the value has ${bytes} bytes; the store accepts at most ${valueBytes}`,
    };
  if (!value.isWellFormed())
    return {
      code: 'value_unwritable',
      message: 'the value contains half of a character (a lone surrogate), which no store can hold',
    };
  return refuses?.expression.test(value) ? { code: 'value_unwritable', message: refuses.message } : undefined;
}

type Named = { subKey: string; value: string; name: string; nameKey: string };

// If several keys lead to one name, the key that already has the name keeps it; otherwise the first key gets it.
function findWinners(named: Named[], byKey: Map<string, LedgerEntry>): Map<string, string> {
  const winners = new Map<string, string>();
  for (const { subKey, nameKey } of named) {
    const isHolder = byKey.get(nameKey)?.subKey === ledgerKey(subKey);
    if (isHolder || !winners.has(nameKey)) winners.set(nameKey, subKey);
  }
  return winners;
}

function quote(key: string): string {
  return JSON.stringify(key.slice(0, 100));
}

/** Whether two sets of tags are equal. Unknown tags (null) count as no tags. */
export function sameTags(left: Record<string, string> | null, right: Record<string, string>): boolean {
  const known = left ?? {};
  const keys = Object.keys(known);
  return keys.length === Object.keys(right).length && keys.every((key) => known[key] === right[key]);
}
