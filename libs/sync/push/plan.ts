import { fingerprint } from '../../crypto/fingerprint.ts';
import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Destination } from '../../connector/contract.ts';
import { externalName, ledgerKey, type NameSource } from '../../connector/names.ts';
import type { SourceValue } from '../../connector/source-values.ts';
import type { Attempt, EntryResult } from '../../store/orders/result.ts';
import type { Failure } from './call.ts';

/** A value and the name of its external entry. */
export type NamedValue = SourceValue & {
  fingerprint: string;
  bytes: number;
  name: string;
  nameKey: string;
  /** The ledger's row of that name; undefined until it is reserved. */
  entry: LedgerEntry | undefined;
};

/** A value that cannot be written now, for a reason that a person must fix. */
export type RefusedKey = {
  subKey: string;
  name: string;
  code: string;
  message: string;
  /** `recheck`: another association may fix it. */
  retry: 'never' | 'recheck';
};

/** A claimed order, what must be done for it, and all results so far. */
export type Plan = {
  order: WorkOrder;
  /** The values that must be outside. Each is compared with the ledger. */
  targets: NamedValue[];
  /** The targets whose names are reserved. */
  writes: Write[];
  /** Every value has its row in the ledger. Otherwise nothing is written or removed. */
  isReserved: boolean;
  refused: RefusedKey[];
  /** Ledger rows that no value needs any more. */
  leftover: LedgerEntry[];
  entries: EntryResult[];
  history: Attempt[];
  failures: Failure[];
  /** Something was left for later: time ran out, the store asked us to wait, or the process is stopping. */
  unfinished: boolean;
  /** Another association has a name that this order wants. */
  waitsForName: boolean;
  /** Milliseconds until the uncertain entries must be written again; see `confirmsInMs`. */
  confirmInMs: number | null;
};

/** One value to write to one entry, whose name we have reserved. */
export type Write = NamedValue & {
  plan: Plan;
  /** The ledger's row as it was when the order was claimed. */
  known: LedgerEntry;
  /** The same row, as this push changes it. */
  entry: LedgerEntry;
  valueChanged: boolean;
  /** All tags wanted on the entry; empty for stores without tags. */
  tags: Record<string, string>;
  /** Idempotency token: the same for the same association, generation, name and value. */
  token: string;
  /** The entry that was ours is gone or now belongs to somebody else. */
  isLost: boolean;
};

/** The desired values, compared with the ledger. */
export type PlanComparison = Pick<Plan, 'targets' | 'refused' | 'leftover'>;

/** A new, empty plan. */
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

/**
 * Compares the desired values with the ledger, without a call or the database. `values` is empty if nothing must be
 * outside.
 */
export function planOrder(
  order: Pick<WorkOrder, 'id' | 'entries'> & Omit<NameSource, 'type' | 'subKey'>,
  values: SourceValue[],
  parts: { destination: Destination; hashKey: Buffer },
): PlanComparison {
  const plan: PlanComparison = { targets: [], refused: [], leftover: [] };
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
    const fault = valueFault(value, bytes, parts.destination.limits);
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
