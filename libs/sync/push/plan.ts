import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { fingerprint } from '../../crypto/fingerprint.ts';
import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Destination } from '../../connector/contract.ts';
import { externalName, ledgerKey } from '../../connector/names.ts';
import type { Attempt, EntryResult } from '../../store/orders/result.ts';
import type { Failure } from './call.ts';

/** One value to be written, by the key it comes from (empty: the whole secret). */
export type SourceValue = { subKey: string; value: string };

/** A value with the name it shall have outside. */
export type Target = SourceValue & {
  fingerprint: string;
  bytes: number;
  name: string;
  nameKey: string;
  /** The ledger's row of that name; undefined until it is reserved. */
  entry: LedgerEntry | undefined;
};

/** A value that cannot be written as things are, for a reason a person must fix. */
export type Refused = {
  subKey: string;
  name: string;
  code: string;
  message: string;
  /** Whether another association may fix it. */
  retry: 'never' | 'recheck';
};

/** A claimed order with all that is to be done for it, and all that came of it so far. */
export type Plan = {
  order: WorkOrder;
  /** Values to be there; each is then compared with the ledger. */
  targets: Target[];
  /** The same, with names that are reserved. */
  writes: Write[];
  /** Every value has its row in the ledger. Else nothing is written or removed. */
  isReserved: boolean;
  refused: Refused[];
  /** Ledger rows that nothing wants any more. */
  leftover: LedgerEntry[];
  entries: EntryResult[];
  history: Attempt[];
  failures: Failure[];
  /** Something was left for later: time ran out, the store asked us to wait, or the process is stopping. */
  unfinished: boolean;
  /** A name that it wants belongs to another association. */
  waitsForName: boolean;
  /** When the entries that were written in uncertainty are to be written again, in milliseconds; see `confirmsInMs`. */
  confirmInMs: number | null;
};

/** One value that is to be in one entry whose name is ours. */
export type Write = Target & {
  plan: Plan;
  /** What the ledger said when the order was claimed. */
  known: LedgerEntry;
  /** The same, as it changes while it is written. */
  entry: LedgerEntry;
  valueChanged: boolean;
  /** All tags wanted on the entry; empty for stores without tags. */
  tags: Record<string, string>;
  /** The same for the same association, generation and value. */
  token: string;
  /** The entry that the ledger held is gone, or is somebody else's by now. */
  isLost: boolean;
};

/** What is desired, compared with the ledger. */
export type Comparison = Pick<Plan, 'targets' | 'refused' | 'leftover'>;

/** A plan of which nothing is done yet. */
export function beginPlan(order: WorkOrder): Plan {
  return {
    order,
    targets: [],
    writes: [],
    isReserved: false,
    refused: [],
    leftover: [],
    entries: [],
    history: [],
    failures: [],
    unfinished: false,
    waitsForName: false,
    confirmInMs: null,
  };
}

/** Compares what is desired with the ledger; no call, no database. `values` is empty where there is nothing to be out there. */
export function planOrder(
  order: Pick<WorkOrder, 'id' | 'namespace' | 'mount' | 'secretPath' | 'destination' | 'entries'>,
  values: SourceValue[],
  parts: { destination: Destination; hashKey: Buffer },
): Comparison {
  const plan: Comparison = { targets: [], refused: [], leftover: [] };
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
      const hash = fingerprint(parts.hashKey, `entry/${order.id}`, value).toString('hex');
      plan.targets.push({
        subKey,
        value,
        fingerprint: hash,
        bytes,
        name,
        nameKey,
        entry: byKey.get(nameKey),
      });
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

/** What a secret's JSON becomes outside: one entry, or one for each top-level key. Numbers keep every digit. */
export function sourceValues(json: string, granularity: 'secret-path' | 'secret-key'): SourceValue[] {
  if (granularity === 'secret-path') return [{ subKey: '', value: json }];
  const data = parse(json);
  if (typeof data !== 'object' || data === null || isLosslessNumber(data)) return [];
  return Object.entries(data).map(([subKey, value]) => ({
    subKey,
    value: typeof value === 'string' ? value : (stringify(value) ?? 'null'),
  }));
}

/** Whether two sets of tags are equal; tags nobody knows (null) equal none at all. */
export function sameTags(left: Record<string, string> | null, right: Record<string, string>): boolean {
  const known = left ?? {};
  const keys = Object.keys(known);
  return keys.length === Object.keys(right).length && keys.every((key) => known[key] === right[key]);
}
