import { fingerprint } from '../../crypto/fingerprint.ts';
import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Destination } from '../contract.ts';
import { externalName, ledgerKey } from '../names.ts';
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
export type Refused = { subKey: string; name: string; code: string; message: string };

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
  const taken = new Map<string, string>();
  const refuse = (subKey: string, name: string, code: string, message: string): void => {
    plan.refused.push({ subKey: ledgerKey(subKey), name, code, message });
  };
  for (const { subKey, value } of inOrderOfRight(values, order.entries)) {
    const named = externalName({ type: parts.destination, ...order, subKey });
    if ('fault' in named) {
      refuse(subKey, '', 'name_invalid', named.fault);
      continue;
    }
    const { name, nameKey } = named;
    const other = taken.get(nameKey);
    const bytes = Buffer.byteLength(value);
    if (other !== undefined) {
      refuse(
        subKey,
        name,
        'name_collision',
        `the keys ${quote(other)} and ${quote(subKey)} would both be ${name}`,
      );
      continue;
    }
    taken.set(nameKey, subKey);
    if (bytes > parts.destination.limits.valueBytes) {
      const most = parts.destination.limits.valueBytes;
      refuse(
        subKey,
        name,
        'value_too_large',
        `the value has ${bytes} bytes; the store takes at most ${most}`,
      );
      continue;
    }
    const print = fingerprint(parts.hashKey, `entry/${order.id}`, value).toString('hex');
    plan.targets.push({ subKey, value, print, bytes, name, nameKey, entry: byKey.get(nameKey) });
  }
  plan.leftover = order.entries.filter((entry) => entry.nameKey === null || !taken.has(entry.nameKey));
  return plan;
}

// Of two keys that come to one name, the one that has it keeps it.
function inOrderOfRight(values: SourceValue[], entries: LedgerEntry[]): SourceValue[] {
  if (values.length < 2) return values;
  const known = new Set(entries.filter((entry) => entry.nameKey !== null).map((entry) => entry.subKey));
  return [
    ...values.filter(({ subKey }) => known.has(subKey)),
    ...values.filter(({ subKey }) => !known.has(subKey)),
  ];
}

function quote(key: string): string {
  return JSON.stringify(key.slice(0, 100));
}
