import { MOST_LOOKED, type PlanRequest } from '../../../commands/connector-commands.ts';
import type { Cause } from '../../../store/orders/order.ts';
import type { Engine } from '../../engine.ts';
import { TOO_MANY, whyUnchecked } from './judge-foreign.ts';
import { noteLook, type PlanLook } from './look.ts';
import type { LookUp, RewrittenPlaces } from './look-up.ts';
import { isCompared, MAY_BE_LOST } from './own-entries.ts';
import { describeRewriting, describeStay } from './places.ts';
import { CHANGE_LOST, writesValue, type OpenPlan, type OpenStep } from './open-plan.ts';
import type { Sight } from '../verify.ts';

const IN_THE_WAY = 'another entry of this name is in the way, and can be neither adopted nor overwritten.';
const AT_STAKE = 'if another entry of this name is there';
const MAY_CHANGE = 'if its settings have changed, it is written again';
const WRITTEN_AGAIN = 'this entry is written again';

// Whose entry leaves ours no room. One of ours may be what an unconfirmed write of this very link left.
const FOREIGN: ReadonlySet<Sight['state']> = new Set(['unmarked', 'other', 'shared']);

type Marking = { look: PlanLook; request: PlanRequest; engine: Engine; lookUp: LookUp };

/**
 * Says of entries that stay the same ones in another container, or in more of it, whether somebody has one of their name
 * there.
 */
export async function judgePlaces(
  plans: OpenPlan[],
  { look, request, engine, lookUp }: Marking,
): Promise<void> {
  const rewritten = plans.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.places && writesValue(step) ? [{ step, places: step.places }] : [])),
  );
  if (!engine.destination.followsContainer || rewritten.length === 0) return;
  const own = new Map(rewritten.map(({ step }) => [step.externalName, step.reference ?? null]));
  const names = [...own].map(([name, besides]) => ({ name, besides }));
  const sights = await lookUp.names(names.slice(0, MOST_LOOKED - (request.looked ?? 0)));
  const byName = new Map(sights.map((sight) => [sight.name, sight]));
  for (const { step, places } of rewritten) {
    const sight = byName.get(step.externalName);
    const isTold = sight && sight.state !== 'unknown';
    noteLook(look, step, isTold ? undefined : (sight?.cause ?? null));
    if (isTold && FOREIGN.has(sight.state)) {
      look.unseen.delete(step);
      Object.assign(step, {
        action: 'conflict',
        reason: `${sight.blocked ?? IN_THE_WAY} Until then, ${describeStay(places, engine)}, and the link fails`,
        removedFrom: undefined,
        mayLose: undefined,
      });
    }
    // Where an entry only loses places, nobody can have its name in those that it keeps.
    else if (!isTold && !isOnlyRemoved(places))
      Object.assign(step, { action: 'unknown', reason: unseenReason({ step, places }, sight, engine) });
  }
}

function unseenReason(
  { step, places }: { step: OpenStep; places: RewrittenPlaces },
  sight: Sight | undefined,
  engine: Engine,
): string {
  const why = sight ? whyUnchecked(sight.cause) : TOO_MANY;
  const known = step.mayLose ? `${step.rewriting}; ${MAY_BE_LOST}` : step.reason;
  return `${known}; ${AT_STAKE}, ${describeStay(places, engine)}, and the link fails; ${why}`;
}

/** Gives a reason to the entries that are written again although no settings that they were written with change. */
export function nameWaiting(plans: OpenPlan[]): void {
  for (const step of plans.flatMap(({ steps }) => steps)) {
    if (!writesValue(step)) continue;
    step.rewriting = step.waiting ?? WRITTEN_AGAIN;
    step.reason ??= step.rewriting;
  }
}

function isOnlyRemoved({ removedFrom, addedTo }: RewrittenPlaces): boolean {
  return removedFrom.length > 0 && addedTo.length === 0;
}

/** Marks what is written again because the settings that it was written with change. Asks no store. */
export async function markRewritten(
  plans: OpenPlan[],
  { look, request, engine, lookUp }: Omit<Marking, 'look'> & { look: PlanLook | null },
): Promise<void> {
  const isLeaving = ({ action }: OpenStep): boolean => action === 'delete' && !request.unlink;
  const steps = plans.flatMap(({ steps: own }) =>
    own.filter(
      (step) =>
        step.entryId !== undefined &&
        !step.isUnsure &&
        (step.action === 'unchanged' || writesValue(step) || isLeaving(step)),
    ),
  );
  if (steps.length === 0) return;
  const keys = steps.map(({ externalName: name, reference = null }) => ({ name, reference }));
  const answers = await lookUp.outdated(keys);
  if ('cause' in answers) {
    const others = steps.filter((step) => !isLeaving(step) && (!look || !isCompared(step, request)));
    markUnchecked(others, look, answers.cause);
    return;
  }
  for (const [index, step] of steps.entries()) {
    const places = answers.places[index];
    if (!places) continue;
    const { removedFrom } = places;
    step.places = places;
    // That is told where an entry of another name takes over its value.
    if (isLeaving(step)) continue;
    step.rewriting = describeRewriting(step, request, engine);
    Object.assign(step, {
      action: step.isChanged ? 'overwrite' : 'update',
      reason: step.isChanged ? `${CHANGE_LOST}; ${step.rewriting}` : step.rewriting,
      ...(removedFrom.length > 0 ? { removedFrom } : {}),
    });
  }
}

function markUnchecked(steps: OpenStep[], look: PlanLook | null, cause: Cause): void {
  if (look) for (const step of steps) noteLook(look, step, cause);
  for (const step of steps.filter(({ action }) => action === 'unchanged'))
    Object.assign(step, { unchecked: true, reason: `${MAY_CHANGE}; ${whyUnchecked(cause)}` });
}
