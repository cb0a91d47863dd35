import { FAILING } from './failing.ts';
import type { OpenPlan, OpenStep } from './open-plan.ts';

const STAYS = 'it is kept until the entry that replaces it is written';

/** Marks entries that were to be deleted as kept where what replaces them will fail, as a push does. */
export function keepFormer(plans: OpenPlan[]): void {
  for (const { steps } of plans)
    for (const step of steps.filter((one) => isKept(one, steps)))
      Object.assign(step, { action: 'retain', reason: STAYS });
}

/** Whether an entry that is to be deleted stays, because what replaces it among the steps of its secret fails. */
export function isKept(step: OpenStep, steps: OpenStep[]): boolean {
  if (step.action !== 'delete' || step.isOvertaken) return false;
  return steps.some((one) => FAILING.has(one.action) && replaces(one, step));
}

// An entry for each key and one for the whole secret replace each other together.
function replaces({ subKey: successor }: OpenStep, { subKey: former }: OpenStep): boolean {
  return successor === former || (successor === '') !== (former === '');
}
