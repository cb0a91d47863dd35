import { hashUuid } from '../../crypto/fingerprint.ts';
import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import {
  reservationKey,
  reserveEntries,
  type Reservation,
  type Reserved,
} from '../../store/orders/reserve.ts';
import type { Destination } from '../../connector/contract.ts';
import { ledgerKey } from '../../connector/names.ts';
import type { Engine } from '../engine.ts';
import type { ComparedOrder, NamedValue, Plan, RefusedKey, Write } from '../order.ts';
import { takeBytes, tooManyEntries, type Capacity } from '../capacity.ts';
import { refusal } from './failure.ts';
import { failedEntry } from './outcomes.ts';
import { beginPlan } from './plan.ts';

/**
 * Reserves the new names of orders in one statement, and makes a plan with writes of each. Refuses names that are taken
 * and values that exceed the capacity. Leaves an order for later if another transaction locks rows that it needs.
 */
export async function reserveNames(compared: ComparedOrder[], engine: Engine): Promise<Plan[]> {
  const [first] = compared;
  if (!first) return [];
  const fresh = compared.flatMap(({ order, targets }) =>
    targets.filter((target) => !target.entry).map((target) => reservation(order, target)),
  );
  const capacity = await engine.findCapacity(first.order.destination.container, fresh.length > 0);
  const reserved = await reserveEntries(engine.context.db, fresh.slice(0, capacity.entries));
  const plans: Plan[] = [];
  for (const one of compared) {
    const isLocked = one.targets.some((target) => reserved.locked.has(keyOf(one.order, target)));
    plans.push(isLocked ? postponed(one.order) : await makePlan(one, { reserved, capacity, engine }));
  }
  return plans;
}

function postponed(order: WorkOrder): Plan {
  return { ...beginPlan(order), outcomes: [{ isLeft: true }] };
}

type Reserving = { reserved: Reserved; capacity: Capacity; engine: Engine };

async function makePlan(
  { order, targets, refused: unwritable, leftover }: ComparedOrder,
  { reserved, capacity, engine }: Reserving,
): Promise<Plan> {
  const { limits } = engine.destination;
  const writes: Write[] = [];
  const refused = [...unwritable];
  for (const target of targets) {
    const entry = target.entry ?? reserved.entries.get(keyOf(order, target));
    const fault =
      entry?.nameKey === null
        ? { code: 'name_collision', message: describeTaken(order, target) }
        : entry
          ? takeBytes(target, entry.valueBytes, { capacity, limits })
          : tooManyEntries(limits, order.destination.container);
    if (fault) refused.push({ subKey: target.subKey, name: target.name, retry: 'recheck', ...fault });
    else if (entry) writes.push(createWrite(order, target, entry, engine.destination));
  }
  const rows = await rowsOfRefused({ order, writes, refused }, reserved, engine);
  if (!rows) return postponed(order);
  const kept = new Set([...writes, ...rows].map(({ entry }) => entry.id));
  return {
    order,
    isReserved: true,
    writes,
    refused,
    leftover: leftover.filter((entry) => !kept.has(entry.id)),
    outcomes: rows.map(({ refused: { subKey, code, message, retry }, entry }) =>
      failedEntry(order, entry, refusal(code, message, retry), { subKey, action: 'none', durationMs: 0 }),
    ),
  };
}

function createWrite(order: WorkOrder, target: NamedValue, entry: LedgerEntry, { tags }: Destination): Write {
  return {
    ...target,
    order,
    entry,
    valueChanged: !entry.owned || entry.valueFingerprint !== target.fingerprint,
    tags: tags ? order.destination.customTags : {},
    token: tokenOf(order, target),
  };
}

// Associations that wait for each other's names in a circle would wait for ever, so we say what ends that.
function describeTaken({ entries }: WorkOrder, { subKey, name }: NamedValue): string {
  const taken = `the name ${name} is used by another association`;
  const present = entries.find((entry) => entry.owned && entry.subKey === ledgerKey(subKey));
  if (!present) return taken;
  return `${taken}; if that one waits for ${present.externalName}, which this secret has, unlink one of them to free its name, and link it again afterwards`;
}

// Gives each refused value a row, so that its status can be seen. The row reserves no name, so it blocks nobody, and it
// is never the row of a value that is written. Returns undefined if another transaction locks rows that this needs.
async function rowsOfRefused(
  { order, writes, refused }: { order: WorkOrder; writes: Write[]; refused: RefusedKey[] },
  reserved: Reserved,
  engine: Engine,
): Promise<{ refused: RefusedKey; entry: LedgerEntry }[] | undefined> {
  if (refused.length === 0) return [];
  const used = new Set(writes.map(({ entry }) => entry.id));
  const find = (item: RefusedKey): LedgerEntry | undefined =>
    order.entries.find(
      (entry) => entry.subKey === item.subKey && entry.externalName === item.name && !used.has(entry.id),
    ) ?? reserved.entries.get(keyOf(order, item));
  const missing = refused.filter((item) => !find(item));
  const made = await reserveEntries(
    engine.context.db,
    missing.map((item) => reservation(order, { subKey: item.subKey, name: item.name, nameKey: null })),
  );
  if (made.locked.size > 0) return undefined;
  return refused.flatMap((item) => {
    const entry = find(item) ?? made.entries.get(keyOf(order, item));
    return entry ? [{ refused: item, entry }] : [];
  });
}

// Nobody can guess the fingerprint, which is a keyed hash. So nobody can find the value from the token.
function tokenOf(order: WorkOrder, { name, fingerprint }: NamedValue): string {
  return hashUuid(`${order.id}/${order.generation}/${name}/${fingerprint}`);
}

function reservation(
  order: WorkOrder,
  target: { subKey: string; name: string; nameKey: string | null },
): Reservation {
  return {
    associationId: order.id,
    destinationId: order.destination.id,
    subKey: target.subKey,
    externalName: target.name,
    nameKey: target.nameKey,
  };
}

function keyOf(order: WorkOrder, { subKey, name }: { subKey: string; name: string }): string {
  return reservationKey(order.id, subKey, name);
}
