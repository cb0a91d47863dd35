import type { NameRules } from '../../../../libs/connector/rules.ts';
import { nameKey } from '../../../../libs/connector/names.ts';
import type { PlannedSecretAnswer, PlanStepAnswer } from '../../contract/plans.ts';

/** The plan of a secret, and whether the secret is linked already. */
export type MarkedPlan = { answer: PlannedSecretAnswer; isLinked: boolean };

// Steps after which the secret has no entry of that name. In a conflict it has the name among ours.
const WITHOUT: PlanStepAnswer['action'][] = ['delete', 'retain', 'refused', 'taken'];

const NOT_LINKED = 'the secret cannot be linked, because of another of its names';

/**
 * Plans in which only the first of several secrets gets a name, and one that is linked before one that is not; for the others
 * it is taken. One wrong name refuses a new link with all its entries.
 */
export function markCollisions(plans: MarkedPlan[], rules: NameRules): PlannedSecretAnswer[] {
  const holders = new Map<string, PlannedSecretAnswer>();
  const mark = ({ answer: secret, isLinked }: MarkedPlan): PlannedSecretAnswer => {
    const names: string[] = [];
    const planned = secret.planned.map((step): PlanStepAnswer => {
      if (WITHOUT.includes(step.action)) return step;
      const key = nameKey(rules, step.external_name);
      const holder = holders.get(key);
      if (!holder) {
        names.push(key);
        return step;
      }
      const reason = `the secret ${holder.secret_name} of mount ${holder.mount}/ gets this name too, and only one can have it`;
      return { ...step, action: 'taken', reason };
    });
    if (!isLinked && planned.some(refusesLink)) return { ...secret, planned: planned.map(leaveOut) };
    for (const key of names) holders.set(key, secret);
    return { ...secret, planned };
  };
  const linkedFirst = plans.toSorted((left, right) => Number(right.isLinked) - Number(left.isLinked));
  const marked = new Map(linkedFirst.map((plan) => [plan, mark(plan)]));
  return plans.map((plan) => marked.get(plan) ?? plan.answer);
}

// A step without a name has no valid one.
function refusesLink({ action, external_name: name }: PlanStepAnswer): boolean {
  return action === 'taken' || (action === 'refused' && name === '');
}

function leaveOut(step: PlanStepAnswer): PlanStepAnswer {
  return refusesLink(step) ? step : { ...step, action: 'left_out', reason: NOT_LINKED };
}
