import type { PlanRequest } from '../../../commands/connector-commands.ts';
import { takeBytes, tooManyEntries, type Capacity } from '../../capacity.ts';
import type { Engine } from '../../engine.ts';
import type { NamedValue } from '../../order.ts';

/** Why values do not fit into their container any more, by the rule by which a push refuses them. */
export async function findExcess(
  targets: NamedValue[],
  {
    limits,
    container,
    findCapacity,
  }: { limits: Engine['destination']['limits']; container: string; findCapacity: () => Promise<Capacity> },
): Promise<Map<NamedValue, string>> {
  const excess = new Map<NamedValue, string>();
  for (const target of targets) {
    if (target.entry && limits.totalBytes === undefined) continue;
    const capacity = await findCapacity();
    const isFull = !target.entry && capacity.entries <= 0;
    const fault = isFull
      ? tooManyEntries(limits, container)
      : takeBytes(target, target.entry?.valueBytes ?? null, { capacity, limits });
    if (fault) excess.set(target, fault.message);
    else if (!target.entry) capacity.entries -= 1;
  }
  return excess;
}

/** What the container still takes, less what the plans before this one take. It is counted only if a plan needs it. */
export function createPlanCapacity({ destination }: PlanRequest, engine: Engine): () => Promise<Capacity> {
  let capacity: Promise<Capacity> | undefined;
  return () => (capacity ??= engine.findCapacity(destination.container, true));
}
