import { groupBy } from '../../libs/collections/group-by.ts';
import { combine, type Fault } from './fault.ts';
import { longPause } from './faults/operator.ts';
import { rollingRestart } from './faults/processes.ts';
import type { Random } from './random.ts';

// Two faults of one part would disturb each other: one ends what the other still needs.
const PARTS: [part: string, names: RegExp][] = [
  ['database', /postgres|database|table/i],
  ['broker', /broker|queues|rabbitmq|messages/i],
  ['stores', /^stores/],
];

/** Some random faults that can strike together, as one; undefined if there are none. */
export function mixFaults(random: Random, faults: Fault[]): Fault | undefined {
  const picked = [random.pick(faults), random.pick(faults), random.pick(faults)];
  // Often adds the pause: whatever else breaks, no store may be written to during a pause.
  if (random.integer(4) === 0 && faults.includes(longPause)) picked.push(longPause);
  const mixed: Fault[] = [];
  for (const fault of new Set(picked)) if (isMixable(fault) && fits(fault, mixed)) mixed.push(fault);
  return mixed.length > 0 ? combine(mixed) : undefined;
}

/** All faults in groups of up to `size` that strike together. Those that mix with nothing come first, alone. */
export function groupFaults(faults: Fault[], size: number): Fault[] {
  const alone = faults.filter((fault) => !isMixable(fault));
  const groups: Fault[][] = [];
  // The largest parts first: their faults need a group each, and the others fill these groups.
  const parts = [...groupBy(faults.filter(isMixable), partOf).values()];
  for (const fault of parts.toSorted((left, right) => right.length - left.length).flat()) {
    const group = groups.find((one) => one.length < size && fits(fault, one));
    if (group) group.push(fault);
    else groups.push([fault]);
  }
  return [...alone, ...groups.map(combine)];
}

function fits(fault: Fault, group: Fault[]): boolean {
  return group.every((other) => partOf(other) !== partOf(fault));
}

function partOf({ name }: Fault): string {
  return PARTS.find(([, names]) => names.test(name))?.[0] ?? name;
}

function isMixable(fault: Fault): boolean {
  return fault !== rollingRestart;
}
