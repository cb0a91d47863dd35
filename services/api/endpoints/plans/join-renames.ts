import type { PlannedStep } from '../../../../libs/commands/connector-commands.ts';
import type { PlanStepAnswer } from '../../contract/plans.ts';

type OpenAnswer = PlanStepAnswer & Pick<PlannedStep, 'renaming'>;

/**
 * The steps of one secret, in which the creation of an entry and the deletion of the one that it stands for are one step:
 * those of the same key, or the only ones where one of them is the whole secret.
 */
export function joinRenames(steps: OpenAnswer[]): PlanStepAnswer[] {
  const created = steps.filter(({ action }) => action === 'create');
  const deleted = steps.filter(({ action }) => action === 'delete');
  const isOnly =
    created.length === 1 && deleted.length === 1 && [...created, ...deleted].some((step) => !step.sub_key);
  const former = new Map(
    created.flatMap((step): [OpenAnswer, OpenAnswer][] => {
      const before = isOnly ? deleted[0] : deleted.find(({ sub_key: key }) => key === step.sub_key);
      return before ? [[step, before]] : [];
    }),
  );
  const gone = new Set(former.values());
  return steps
    .filter((step) => !gone.has(step))
    .map((answer): PlanStepAnswer => {
      const before = former.get(answer);
      const { renaming: _former, ...step } = answer;
      if (!before) return step;
      const { removedFrom = [] } = before.renaming ?? {};
      return {
        ...step,
        action: 'rename',
        former_name: before.external_name,
        reason: reasonOf(before, step),
        ...(removedFrom.length > 0 ? { removed_from: removedFrom } : {}),
        ...(before.may_lose ? { may_lose: true as const } : {}),
      };
    });
}

// What is lost with the former entry, and what becomes of its value. As in an update, what may be lost comes last.
function reasonOf(before: OpenAnswer, step: PlanStepAnswer): string | null {
  const known = before.reason ?? step.reason ?? otherValue(before, step);
  const renaming = before.renaming?.reason ?? null;
  const reasons = before.may_lose ? [renaming, known] : [known, renaming];
  return reasons.filter((reason) => reason !== null).join('; ') || null;
}

// An entry for each key becomes one for the whole secret, or the other way round.
function otherValue({ sub_key: before }: PlanStepAnswer, { sub_key: key }: PlanStepAnswer): string | null {
  if ((before === '') === (key === '')) return null;
  return key === '' ? 'it then has the whole secret as JSON' : 'it then has the value of one key alone';
}
