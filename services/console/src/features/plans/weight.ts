import type { PlannedSecretAnswer, PlanStepAnswer } from '../../../../api/contract/plans.ts';

// What cannot be done and what harms stands first; a page shows few rows of a long plan.
const FIRST = [
  'error',
  'unnamed',
  'taken',
  'left_out',
  'refused',
  'failing',
  'conflict',
  'overwrite',
  'delete',
  'unknown',
  'adopt',
  'rename',
  'create',
  'update',
  'retain',
];

/** Secrets whose plan fails or harms first. */
export function byWeight(left: PlannedSecretAnswer, right: PlannedSecretAnswer): number {
  return placeOf(left) - placeOf(right);
}

function placeOf({ error, planned }: PlannedSecretAnswer): number {
  if (error !== null) return 0;
  return planned.reduce((least, step) => Math.min(least, weightOf(step)), FIRST.length);
}

/** The same for the entries of one. */
export function byOwnWeight(left: PlanStepAnswer, right: PlanStepAnswer): number {
  return weightOf(left) - weightOf(right);
}

function weightOf(step: PlanStepAnswer): number {
  const place = FIRST.indexOf(planWord(step));
  return place === -1 ? FIRST.length : place;
}

/** What a plan does to an entry, as a person counts it. Where the template makes no valid name, there is none. */
export function planWord({
  action,
  external_name: name,
  fails_already: fails,
  unchecked: isUnchecked,
}: PlanStepAnswer): string {
  if (isUnchecked) return 'unchecked';
  if (action !== 'refused') return action;
  return name === '' ? 'unnamed' : fails ? 'failing' : action;
}
