import type { PlanStepAnswer } from '../../contract/plans.ts';

/**
 * The steps of one secret, in which the creation of an entry and the deletion of the one that it stands for are one step:
 * those of the same key, or the only ones where one of them is the whole secret.
 */
export function joinRenames(steps: PlanStepAnswer[]): PlanStepAnswer[] {
  const created = steps.filter(({ action }) => action === 'create');
  const deleted = steps.filter(({ action }) => action === 'delete');
  const isOnly =
    created.length === 1 && deleted.length === 1 && [...created, ...deleted].some((step) => !step.sub_key);
  const former = new Map(
    created.flatMap((step): [PlanStepAnswer, PlanStepAnswer][] => {
      const before = isOnly ? deleted[0] : deleted.find(({ sub_key: key }) => key === step.sub_key);
      return before ? [[step, before]] : [];
    }),
  );
  const gone = new Set(former.values());
  return steps
    .filter((step) => !gone.has(step))
    .map((step): PlanStepAnswer => {
      const before = former.get(step);
      return before
        ? {
            ...step,
            action: 'rename',
            former_name: before.external_name,
            // What is lost with the former entry.
            reason: before.reason ?? step.reason ?? otherValue(before, step),
          }
        : step;
    });
}

// An entry for each key becomes one for the whole secret, or the other way round.
function otherValue({ sub_key: before }: PlanStepAnswer, { sub_key: key }: PlanStepAnswer): string | null {
  if ((before === '') === (key === '')) return null;
  return key === '' ? 'it then has the whole secret as JSON' : 'it then has the value of one key alone';
}
