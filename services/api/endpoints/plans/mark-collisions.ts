import type { NameRules } from '../../../../libs/connector/rules.ts';
import { nameKey } from '../../../../libs/connector/names.ts';
import type { PlannedSecretAnswer, PlanStepAnswer } from '../../contract/plans.ts';

// Steps after which the secret has no entry of that name.
const WITHOUT: PlanStepAnswer['action'][] = ['delete', 'retain', 'refused', 'conflict', 'taken'];

/** Plans in which only the first of several secrets gets a name; for the others it is taken. */
export function markCollisions(planned: PlannedSecretAnswer[], rules: NameRules): PlannedSecretAnswer[] {
  const holders = new Map<string, PlannedSecretAnswer>();
  return planned.map((secret) => {
    const steps = secret.planned.map((step): PlanStepAnswer => {
      if (WITHOUT.includes(step.action)) return step;
      const key = nameKey(rules, step.external_name);
      const holder = holders.get(key) ?? secret;
      holders.set(key, holder);
      if (holder === secret) return step;
      const reason = `the secret ${holder.secret_name} of mount ${holder.mount}/ gets this name too, and only one can have it`;
      return { ...step, action: 'taken', reason };
    });
    return { ...secret, planned: steps };
  });
}
