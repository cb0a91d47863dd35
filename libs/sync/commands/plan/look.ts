import { MOST_LOOKED, type PlanRequest, type PlanResult } from '../../../commands/connector-commands.ts';
import { addUnchecked } from '../../../telling/planned.ts';
import type { Cause } from '../../../store/orders/order.ts';
import type { OpenStep } from './open-plan.ts';

/** The steps that need the store's answer, and those about which it did not tell: why, as far as that is known. */
export type PlanLook = { needing: Set<OpenStep>; unseen: Map<OpenStep, Cause | null> };

/** Null if the store is not asked. */
export function beginLook({ looked }: PlanRequest): PlanLook | null {
  return looked === null ? null : { needing: new Set(), unseen: new Map() };
}

/** About how many more entries the plan may ask the store. */
export function roomIn({ needing }: PlanLook, { looked }: PlanRequest): number {
  return Math.max(0, MOST_LOOKED - (looked ?? 0) - needing.size);
}

/** `cause`: why the store did not tell; null: it was not asked, or gave no reason; undefined: it did. */
export function noteLook(look: PlanLook, step: OpenStep, cause: Cause | null | undefined): void {
  look.needing.add(step);
  if (cause !== undefined) look.unseen.set(step, cause);
}

/** The look in numbers. */
export function countLook({ needing, unseen }: PlanLook): NonNullable<PlanResult['look']> {
  const causes = [...unseen.values()];
  return {
    entries: needing.size,
    unknown: unseen.size,
    cause: causes.find((cause) => cause !== null) ?? null,
    causes: addUnchecked(causes.map((cause) => ({ cause, entries: 1 }))),
  };
}
