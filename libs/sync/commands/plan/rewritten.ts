import { MOST_LOOKED, type PlanRequest, type PlanResult } from '../../../commands/connector-commands.ts';
import type { Cause } from '../../../store/orders/order.ts';
import { addUnchecked } from '../../../telling/planned.ts';
import type { Engine } from '../../engine.ts';
import { TOO_MANY, whyUnchecked } from './judge-foreign.ts';
import type { LookUp, RewrittenPlaces } from './look-up.ts';
import type { OpenPlan, OpenStep } from './plan-secret.ts';
import type { Sight } from '../verify.ts';

const IN_THE_WAY = 'another entry of this name is in the way, and can be neither adopted nor overwritten.';
const AT_STAKE = 'if another entry of this name is there';
const MAY_CHANGE = 'settings that this entry was written with may have changed, and it is written again then';
const WRITTEN_AGAIN = 'this entry is written again';

const KEPT: ReadonlySet<string> = new Set(['unchanged', 'update']);
// Whose entry leaves ours no room. One of ours may be what an unconfirmed write of this very link left.
const FOREIGN: ReadonlySet<Sight['state']> = new Set(['unmarked', 'other', 'shared']);

type Look = NonNullable<PlanResult['look']>;
type Marking = { request: PlanRequest; engine: Engine; lookUp: LookUp };
type Rewritten = { step: OpenStep; places: RewrittenPlaces };

/**
 * Marks what is written again because the settings that it was written with change. Where an entry stays the same one in
 * another container, somebody may have one of its name there.
 */
export async function markRewritten(plans: OpenPlan[], look: Look, marking: Marking): Promise<void> {
  const { engine, lookUp } = marking;
  const rewritten = await markOutdated(plans, look, marking);
  if (!engine.destination.followsContainer || rewritten.length === 0) return;
  const own = new Map(rewritten.map(({ step }) => [step.externalName, step.reference ?? null]));
  const names = [...own].map(([name, besides]) => ({ name, besides }));
  const sights = await lookUp.names(names.slice(0, Math.max(0, MOST_LOOKED - look.entries)));
  const byName = new Map(sights.map((sight) => [sight.name, sight]));
  const unseen = names.map(({ name }) => byName.get(name)).filter((sight) => !sight || isUnseen(sight));
  note(look, { entries: names.length, unseen: unseen.map((sight) => sight?.cause ?? null) });
  for (const { step, places } of rewritten) {
    const sight = byName.get(step.externalName);
    const stays = staying(places, engine);
    if (sight && FOREIGN.has(sight.state))
      Object.assign(step, {
        action: 'conflict',
        reason: `${sight.blocked ?? IN_THE_WAY} Until then, ${stays}, and the link fails`,
        removedFrom: undefined,
      });
    // Where an entry only loses places, nobody can have its name in those that it keeps.
    else if ((!sight || isUnseen(sight)) && !isOnlyRemoved(places))
      Object.assign(step, {
        action: 'unknown',
        reason: `${step.reason}; ${AT_STAKE}, ${stays}, and the link fails; ${sight ? whyUnchecked(sight.cause) : TOO_MANY}`,
      });
  }
}

/** Gives a reason to the entries that are written again for none that was named yet. */
export function nameWaiting(plans: OpenPlan[]): void {
  for (const step of plans.flatMap(({ steps }) => steps))
    if (step.action === 'update') step.reason ??= step.waiting ?? WRITTEN_AGAIN;
}

function isUnseen({ state }: Sight): boolean {
  return state === 'unknown';
}

function isOnlyRemoved({ removedFrom, addedTo }: RewrittenPlaces): boolean {
  return removedFrom.length > 0 && addedTo.length === 0;
}

function note(look: Look, { entries, unseen }: { entries: number; unseen: (Cause | null)[] }): void {
  look.entries += entries;
  look.unknown += unseen.length;
  look.cause ??= unseen.find((cause) => cause !== null) ?? null;
  look.causes = addUnchecked([...(look.causes ?? []), ...unseen.map((cause) => ({ cause, entries: 1 }))]);
}

// A value that stays is written again where the settings that it was written with change. Returns the steps that do so.
async function markOutdated(
  plans: OpenPlan[],
  look: Look,
  { request, engine, lookUp }: Marking,
): Promise<Rewritten[]> {
  const steps = plans.flatMap(({ steps: own }) =>
    own.filter(({ action, entryId }) => KEPT.has(action) && entryId !== undefined),
  );
  if (steps.length === 0) return [];
  const keys = steps.map(({ externalName: name, reference = null }) => ({ name, reference }));
  const answers = await lookUp.outdated(keys);
  if ('cause' in answers) {
    // Entries that are compared too are judged there.
    if (!request.compares) markUnchecked(steps, look, answers.cause);
    return [];
  }
  return steps.flatMap((step, index): Rewritten[] => {
    const places = answers.places[index];
    if (!places) return [];
    const { removedFrom } = places;
    const settings = `settings that this entry was written with ${request.leavesDrift ? 'change' : 'have changed'}`;
    const where = whereabouts(places, engine);
    const rewritten = where === '' ? settings : `${settings}: its value is ${where}`;
    Object.assign(step, {
      action: 'update',
      reason: step.waiting ? `${step.waiting}, and ${rewritten}` : rewritten,
      ...(removedFrom.length > 0 ? { removedFrom } : {}),
    });
    return [{ step, places }];
  });
}

function markUnchecked(steps: OpenStep[], look: Look, cause: Cause): void {
  note(look, { entries: steps.length, unseen: steps.map(() => cause) });
  for (const step of steps.filter(({ action }) => action === 'unchanged'))
    Object.assign(step, { unchecked: true, reason: `${MAY_CHANGE}; ${whyUnchecked(cause)}` });
}

function whereabouts({ removedFrom, addedTo }: RewrittenPlaces, engine: Engine): string {
  return [
    ...(addedTo.length > 0 ? [`added to ${placesText(addedTo, engine)}`] : []),
    ...(removedFrom.length > 0 ? [`removed from ${placesText(removedFrom, engine)}`] : []),
  ].join(', and ');
}

// What becomes of our entry if it cannot be written.
function staying({ removedFrom }: RewrittenPlaces, engine: Engine): string {
  if (removedFrom.length === 0) return 'our value stays as it is';
  const isOne = removedFrom.length === 1;
  return `our value stays in ${placesText(removedFrom, engine)}, although ${isOne ? 'it is' : 'they are'} no longer selected`;
}

function placesText(places: string[], { destination: { placeNoun } }: Engine): string {
  const names = places.join(' and ');
  return placeNoun ? `the ${placeNoun}${places.length === 1 ? '' : 's'} ${names}` : names;
}
