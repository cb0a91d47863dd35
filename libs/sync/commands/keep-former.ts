import { FAILING } from './failing.ts';
import type { OpenPlan, OpenStep } from './plan-secret.ts';

const STAYS = 'it is kept until the entry that replaces it is written';

/** Marks entries that were to be deleted as kept where what replaces them will fail, as a push does. */
export function keepFormer(plans: OpenPlan[]): void {
  for (const { steps } of plans) {
    const failing = steps.filter(({ action }) => FAILING.has(action));
    for (const step of steps)
      if (
        step.action === 'delete' &&
        !step.isOvertaken &&
        failing.some((successor) => replaces(successor, step))
      )
        Object.assign(step, { action: 'retain', reason: STAYS });
  }
}

// An entry for each key and one for the whole secret replace each other together.
function replaces({ subKey: successor }: OpenStep, { subKey: former }: OpenStep): boolean {
  return successor === former || (successor === '') !== (former === '');
}
