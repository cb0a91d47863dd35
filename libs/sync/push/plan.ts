import { fingerprint } from '../../crypto/fingerprint.ts';
import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Destination } from '../../connector/contract.ts';
import { externalName, ledgerKey } from '../../connector/names.ts';
import type { SourceValue } from './values.ts';

/** A value with the name it shall have outside. */
export type Target = {
  subKey: string;
  value: string;
  print: string;
  bytes: number;
  name: string;
  nameKey: string;
  /** The ledger's row of that name; undefined until it is reserved. */
  entry: LedgerEntry | undefined;
};

/** A value that cannot be written as things are, for a reason a person must mend. */
export type Refused = {
  subKey: string;
  name: string;
  code: string;
  message: string;
  /** Whether another association may mend it. */
  retry: 'never' | 'recheck';
};

export type Plan = {
  /** Values to be there; each is then compared with the ledger. */
  targets: Target[];
  refused: Refused[];
  /** Ledger rows that nothing wants any more. */
  leftover: LedgerEntry[];
};

/** Compares what is desired with the ledger; no call, no database. `values` is empty where there is nothing to be out there. */
export function planOrder(
  order: Pick<WorkOrder, 'id' | 'namespace' | 'mount' | 'secretPath' | 'destination' | 'entries'>,
  values: SourceValue[],
  parts: { destination: Destination; hashKey: Buffer },
): Plan {
  const plan: Plan = { targets: [], refused: [], leftover: [] };
  const byKey = new Map(
    order.entries.flatMap((entry) => (entry.nameKey === null ? [] : [[entry.nameKey, entry]])),
  );
  const refuse = (subKey: string, name: string, code: string, message: string): void => {
    plan.refused.push({ subKey: ledgerKey(subKey), name, code, message, retry: 'never' });
  };
  const named = values.flatMap(({ subKey, value }): Named[] => {
    const result = externalName({ type: parts.destination, ...order, subKey });
    if ('fault' in result) refuse(subKey, '', 'name_invalid', result.fault);
    return 'fault' in result ? [] : [{ subKey, value, ...result }];
  });
  const winners = findWinners(named, byKey);
  for (const { subKey, value, name, nameKey } of named) {
    const winner = winners.get(nameKey) ?? subKey;
    const bytes = Buffer.byteLength(value);
    if (winner !== subKey) {
      refuse(
        subKey,
        name,
        'name_collision',
        `the keys ${quote(winner)} and ${quote(subKey)} would both be ${name}`,
      );
    } else if (bytes > parts.destination.limits.valueBytes) {
      const most = parts.destination.limits.valueBytes;
      refuse(
        subKey,
        name,
        'value_too_large',
        `the value has ${bytes} bytes; the store takes at most ${most}`,
      );
    } else {
      const print = fingerprint(parts.hashKey, `entry/${order.id}`, value).toString('hex');
      plan.targets.push({ subKey, value, print, bytes, name, nameKey, entry: byKey.get(nameKey) });
    }
  }
  plan.leftover = order.entries.filter((entry) => entry.nameKey === null || !winners.has(entry.nameKey));
  return plan;
}

type Named = { subKey: string; value: string; name: string; nameKey: string };

// Of several keys that come to one name, the one that has this very name keeps it; else the first gets it.
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
