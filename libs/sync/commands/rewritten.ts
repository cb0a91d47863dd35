import { MOST_LOOKED, type PlanResult } from '../../commands/connector-commands.ts';
import type { Engine } from '../engine.ts';
import type { LookUp, RewrittenPlaces } from './look-up.ts';
import type { OpenPlan, OpenStep } from './plan-secret.ts';

const STAYS =
  'another entry of this name is in the way, and can be neither adopted nor overwritten; ours stays as it is, and the link fails';
const OTHER_SETTINGS = 'settings that this entry was written with have changed';

const NEW_VALUE = 'a new value waits to be written';

const KEPT: ReadonlySet<string> = new Set(['unchanged', 'update']);

/**
 * Marks what is written again because the settings that it was written with change. Where an entry stays the same one in
 * another container, somebody may have one of its name there.
 */
export async function markRewritten(
  plans: OpenPlan[],
  look: NonNullable<PlanResult['look']>,
  { engine, lookUp }: { engine: Engine; lookUp: LookUp },
): Promise<void> {
  const steps = await markOutdated(plans, lookUp.outdated);
  if (!engine.destination.followsContainer || steps.length === 0) return;
  const own = new Map(steps.map(({ externalName, reference = null }) => [externalName, reference]));
  const names = [...own].map(([name, besides]) => ({ name, besides }));
  const sights = await lookUp.names(names.slice(0, Math.max(0, MOST_LOOKED - look.entries)));
  const taken = new Map(
    sights.filter(({ state }) => state === 'unmarked').map((sight) => [sight.name, sight]),
  );
  look.entries += names.length;
  for (const step of steps) {
    const sight = taken.get(step.externalName);
    if (sight)
      Object.assign(step, { action: 'conflict', reason: sight.blocked ?? STAYS, removedFrom: undefined });
  }
}

// A value that stays is written again where the settings that it was written with change. `outdated`: which entries have
// others by now. Returns the steps that write such an entry.
async function markOutdated(plans: OpenPlan[], outdated: LookUp['outdated']): Promise<OpenStep[]> {
  const steps = plans.flatMap(({ steps: own }) =>
    own.filter(({ action, entryId }) => KEPT.has(action) && entryId !== undefined),
  );
  if (steps.length === 0) return [];
  const keys = steps.map(({ externalName: name, reference = null }) => ({ name, reference }));
  const answers = await outdated(keys);
  return steps.filter((step, index) => {
    const rewriting = answers[index];
    if (!rewriting) return false;
    const { removedFrom } = rewriting;
    const where = whereabouts(rewriting);
    const settings = where === '' ? OTHER_SETTINGS : `${OTHER_SETTINGS}: its value is ${where}`;
    Object.assign(step, {
      action: 'update',
      reason: step.hasNewValue ? `${NEW_VALUE}, and ${settings}` : settings,
      ...(removedFrom.length > 0 ? { removedFrom } : {}),
    });
    return true;
  });
}

function whereabouts({ removedFrom, addedTo }: RewrittenPlaces): string {
  return [
    ...(addedTo.length > 0 ? [`added to ${addedTo.join(' and ')}`] : []),
    ...(removedFrom.length > 0 ? [`removed from ${removedFrom.join(' and ')}`] : []),
  ].join(', and ');
}
