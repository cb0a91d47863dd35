import { hashUuid } from '../../crypto/fingerprint.ts';
import type { LedgerEntry } from '../../store/orders/order.ts';
import {
  reservationKey,
  reserveEntries,
  type Reservation,
  type Reserved,
} from '../../store/orders/reserve.ts';
import type { OrderAttempt } from './attempt.ts';
import type { EngineParts } from '../parts.ts';
import type { Plan, Refused, Target } from './plan.ts';
import type { Room } from './room.ts';

/** A target whose name is ours; `token` is the same for the same association, generation and value. */
export type Wanted = Target & { entry: LedgerEntry; token: string };

/** A plan in which every value has its row in the ledger. */
export type AssignedPlan = {
  attempt: OrderAttempt;
  wanted: Wanted[];
  refused: (Refused & { entry: LedgerEntry })[];
  leftover: LedgerEntry[];
};

type Planned = { attempt: OrderAttempt; plan: Plan };

/** Gives every planned value its ledger row: reserves new names, refuses those that are taken or for which there is no room. */
export async function assignEntries(planned: Planned[], parts: EngineParts): Promise<AssignedPlan[]> {
  const [first] = planned;
  if (!first) return [];
  const fresh = planned.flatMap(({ attempt, plan }) =>
    plan.targets.filter((target) => !target.entry).map((target) => reservation(attempt, target)),
  );
  const room = await parts.findRoom(first.attempt.order.destination.place, fresh.length > 0);
  const reserved = await reserveEntries(parts.context.db, fresh.slice(0, room.entries));
  const result: AssignedPlan[] = [];
  for (const { attempt, plan } of planned) {
    // Somebody holds rows that a name needs: nothing is done now, and another attempt follows at once.
    attempt.unfinished = plan.targets.some((target) => reserved.held.has(keyOf(attempt, target)));
    if (attempt.unfinished) continue;
    const refused: Refused[] = [...plan.refused];
    const wanted: Wanted[] = [];
    for (const target of plan.targets) {
      const entry = target.entry ?? reserved.entries.get(keyOf(attempt, target));
      if (entry?.nameKey === null) attempt.waitsForName = true;
      const fault = faultOf(target, entry, room, parts);
      if (fault) refused.push({ subKey: target.subKey, name: target.name, retry: 'recheck', ...fault });
      else if (entry) wanted.push({ token: tokenOf(attempt, target), ...target, entry });
    }
    const shown = await rowsOfRefused(attempt, refused, wanted, reserved, parts);
    attempt.unfinished = shown === undefined;
    if (!shown) continue;
    const kept = new Set([...wanted, ...shown].map(({ entry }) => entry.id));
    result.push({
      attempt,
      wanted,
      refused: shown,
      leftover: plan.leftover.filter((entry) => !kept.has(entry.id)),
    });
  }
  return result;
}

function faultOf(
  target: Target,
  entry: LedgerEntry | undefined,
  room: Room,
  parts: EngineParts,
): { code: string; message: string } | undefined {
  const { limits } = parts.destination;
  if (!entry) {
    return {
      code: 'too_many_entries',
      message: `the store holds at most ${limits.entries} entries, and all are used`,
    };
  }
  if (entry.nameKey === null) {
    return { code: 'name_collision', message: `the name ${target.name} is used by another association` };
  }
  const growth = target.bytes - (entry.valueBytes ?? 0);
  if (growth > room.bytes) {
    const message = `all values together would exceed the ${limits.totalBytes} bytes that the store takes`;
    return { code: 'too_many_bytes', message };
  }
  room.bytes -= growth;
  return undefined;
}

// A refused value has a row too, so that its status can be seen; without a name of its own it blocks nobody. It never
// shares the row of one that is written. Undefined where somebody holds rows that this needs.
async function rowsOfRefused(
  attempt: OrderAttempt,
  refused: Refused[],
  wanted: Wanted[],
  reserved: Reserved,
  parts: EngineParts,
): Promise<(Refused & { entry: LedgerEntry })[] | undefined> {
  if (refused.length === 0) return [];
  const used = new Set(wanted.map(({ entry }) => entry.id));
  const find = (item: Refused): LedgerEntry | undefined =>
    attempt.order.entries.find(
      (entry) => entry.subKey === item.subKey && entry.externalName === item.name && !used.has(entry.id),
    ) ?? reserved.entries.get(keyOf(attempt, item));
  const missing = refused.filter((item) => !find(item));
  const made = await reserveEntries(
    parts.context.db,
    missing.map((item) => reservation(attempt, { subKey: item.subKey, name: item.name, nameKey: null })),
  );
  if (made.held.size > 0) return undefined;
  return refused.flatMap((item) => {
    const entry = find(item) ?? made.entries.get(keyOf(attempt, item));
    return entry ? [{ entry, ...item }] : [];
  });
}

// Nobody can guess the print, which is a keyed hash, and so nobody the value from the token.
function tokenOf({ order }: OrderAttempt, { name, print }: Target): string {
  return hashUuid(`${order.id}/${order.generation}/${name}/${print}`);
}

function reservation(
  attempt: OrderAttempt,
  target: { subKey: string; name: string; nameKey: string | null },
): Reservation {
  return {
    associationId: attempt.order.id,
    destinationId: attempt.order.destination.id,
    subKey: target.subKey,
    externalName: target.name,
    nameKey: target.nameKey,
  };
}

function keyOf({ order }: OrderAttempt, { subKey, name }: { subKey: string; name: string }): string {
  return reservationKey(order.id, subKey, name);
}
