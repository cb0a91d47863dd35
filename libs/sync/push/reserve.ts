import { LRUCache } from 'lru-cache';
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
import type { EngineParts } from '../engine.ts';
import type { Plan, RefusedKey, NamedValue, Write } from '../order.ts';
import { refusal } from './failure.ts';
import { recordFailed } from './uncertainty.ts';

/** How much more a container can take; Infinity if its store has no such limit. */
export type Capacity = { entries: number; bytes: number };

/** `growing`: the plans need new names, not only new values. */
export type CapacityFinder = (container: string, growing: boolean) => Promise<Capacity>;

// Far from the limit, a count stays good for some seconds: the more entries there are, the longer counting takes, and no
// store takes that many new entries in that time.
const FAR = 20_000;
const COUNT_HOLDS_MS = 5000;
const MOST_REMEMBERED = 1000;

/**
 * Finds the capacity of containers of one type; `measure` counts what a container holds. Remembers a capacity that is far
 * from the limit.
 */
export function createCapacityFinder(
  limits: Destination['limits'],
  measure: (container: string) => Promise<{ entries: number; bytes: number }>,
): CapacityFinder {
  const { entries: mostEntries, totalBytes: mostBytes } = limits;
  const remembered = new LRUCache<string, Capacity>({ max: MOST_REMEMBERED, ttl: COUNT_HOLDS_MS });
  return async (container, growing) => {
    const counts = (mostEntries !== undefined && growing) || mostBytes !== undefined;
    if (!counts) return { entries: Infinity, bytes: Infinity };
    const known = remembered.get(container);
    if (known) return { ...known };
    const used = await measure(container);
    const capacity = {
      entries: Math.max(0, (mostEntries ?? Infinity) - used.entries),
      bytes: (mostBytes ?? Infinity) - used.bytes,
    };
    if (capacity.entries > FAR && mostBytes === undefined) remembered.set(container, capacity);
    return { ...capacity };
  };
}

/**
 * Reserves the new names of planned orders in one statement, and makes their writes. Refuses names that are taken and
 * values that exceed the capacity. Leaves a plan unfinished if another transaction locks rows that it needs.
 */
export async function reserveNames(
  plans: Plan[],
  parts: EngineParts,
  findCapacity: CapacityFinder,
): Promise<void> {
  const [first] = plans;
  if (!first) return;
  const fresh = plans.flatMap((plan) =>
    plan.targets.filter((target) => !target.entry).map((target) => reservation(plan, target)),
  );
  const capacity = await findCapacity(first.order.destination.container, fresh.length > 0);
  const reserved = await reserveEntries(parts.context.db, fresh.slice(0, capacity.entries));
  for (const plan of plans) {
    plan.unfinished = plan.targets.some((target) => reserved.locked.has(keyOf(plan, target)));
    if (!plan.unfinished) await makeWrites(plan, { reserved, capacity, parts });
  }
}

type Reserving = { reserved: Reserved; capacity: Capacity; parts: EngineParts };

async function makeWrites(plan: Plan, { reserved, capacity, parts }: Reserving): Promise<void> {
  const writes: Write[] = [];
  for (const target of plan.targets) {
    const entry = target.entry ?? reserved.entries.get(keyOf(plan, target));
    const fault =
      entry?.nameKey === null
        ? { code: 'name_collision', message: describeTaken(plan.order, target) }
        : faultOf(target, entry, capacity, parts.destination);
    if (fault) plan.refused.push({ subKey: target.subKey, name: target.name, retry: 'recheck', ...fault });
    else if (entry) writes.push(createWrite(plan, target, entry, parts.destination));
  }
  const rows = await rowsOfRefused(plan, writes, reserved, parts);
  plan.unfinished = rows === undefined;
  if (!rows) return;
  const kept = new Set([...writes.map(({ known }) => known.id), ...rows.map(({ entry }) => entry.id)]);
  plan.writes = writes;
  plan.isReserved = true;
  plan.leftover = plan.leftover.filter((entry) => !kept.has(entry.id));
  for (const { refused, entry } of rows) {
    const failure = refusal(refused.code, refused.message, refused.retry);
    recordFailed(plan, entry, refused.subKey, failure, 'none', 0);
  }
}

function createWrite(plan: Plan, target: NamedValue, known: LedgerEntry, { tags }: Destination): Write {
  return {
    plan,
    subKey: target.subKey,
    value: target.value,
    fingerprint: target.fingerprint,
    bytes: target.bytes,
    name: target.name,
    nameKey: target.nameKey,
    known,
    entry: { ...known },
    valueChanged: !known.owned || known.valueFingerprint !== target.fingerprint,
    tags: tags ? plan.order.destination.customTags : {},
    token: tokenOf(plan, target),
    isLost: false,
  };
}

function faultOf(
  target: NamedValue,
  entry: LedgerEntry | undefined,
  capacity: Capacity,
  { limits }: Destination,
): { code: string; message: string } | undefined {
  if (!entry) {
    return {
      code: 'too_many_entries',
      message: `the store accepts at most ${limits.entries} entries and already has that many`,
    };
  }
  // A name that was reserved just now is not counted yet.
  const nameBytes = target.entry ? 0 : Buffer.byteLength(target.name);
  const growth = nameBytes + target.bytes - (entry.valueBytes ?? 0);
  if (growth > capacity.bytes) {
    const message = `all names and values together would exceed the ${limits.totalBytes} bytes that the store accepts`;
    return { code: 'too_many_bytes', message };
  }
  capacity.bytes -= growth;
  return undefined;
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
  plan: Plan,
  writes: Write[],
  reserved: Reserved,
  parts: EngineParts,
): Promise<{ refused: RefusedKey; entry: LedgerEntry }[] | undefined> {
  if (plan.refused.length === 0) return [];
  const used = new Set(writes.map(({ known }) => known.id));
  const find = (item: RefusedKey): LedgerEntry | undefined =>
    plan.order.entries.find(
      (entry) => entry.subKey === item.subKey && entry.externalName === item.name && !used.has(entry.id),
    ) ?? reserved.entries.get(keyOf(plan, item));
  const missing = plan.refused.filter((item) => !find(item));
  const made = await reserveEntries(
    parts.context.db,
    missing.map((item) => reservation(plan, { subKey: item.subKey, name: item.name, nameKey: null })),
  );
  if (made.locked.size > 0) return undefined;
  return plan.refused.flatMap((refused) => {
    const entry = find(refused) ?? made.entries.get(keyOf(plan, refused));
    return entry ? [{ refused, entry }] : [];
  });
}

// Nobody can guess the fingerprint, which is a keyed hash. So nobody can find the value from the token.
function tokenOf({ order }: Plan, { name, fingerprint }: NamedValue): string {
  return hashUuid(`${order.id}/${order.generation}/${name}/${fingerprint}`);
}

function reservation(
  { order }: Plan,
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

function keyOf({ order }: Plan, { subKey, name }: { subKey: string; name: string }): string {
  return reservationKey(order.id, subKey, name);
}
