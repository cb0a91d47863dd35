import { performance } from 'node:perf_hooks';
import type { PlannedStep, PlanRequest, PlanResult } from '../../../commands/connector-commands.ts';
import type { Engine } from '../../engine.ts';
import { createPlanCapacity } from './excess.ts';
import { failsAlready } from './failing.ts';
import { giveNames } from './give-names.ts';
import { keepFormer } from './keep-former.ts';
import { judgeForeign } from './judge-foreign.ts';
import { beginLook, countLook, noteLook, roomIn, type PlanLook } from './look.ts';
import type { LookUp } from './look-up.ts';
import { compareOwn } from './own-entries.ts';
import { describeMoves } from './places.ts';
import { judgePlaces, markRewritten, nameWaiting } from './rewritten.ts';
import type { Sight } from '../verify.ts';
import { GONE, type OpenPlan, type OpenStep, type PolicyFor } from './open-plan.ts';
import { planSecret } from './plan-secret.ts';

// The part of the caller's time limit in which plans are begun. The store may need most of the rest.
const SHARE_OF_TIME = 0.15;
// A broker refuses messages of more than 16 MiB, and the reply is sealed. A plan that is larger than the first limit ends
// the reply; one that is larger than the second is in none.
const MOST_LETTERS = 1024 * 1024;
const MOST_LETTERS_OF_SECRET = 8 * 1024 * 1024;
// JSON around the names of a step.
const LETTERS_OF_STEP = 100;

/**
 * Says what syncing some secrets, or unlinking them, would do. Writes nothing. An entry that somebody else made would be
 * refused, overwritten or adopted, as the destination's conflict policy says. If the store does not tell, the action is
 * `unknown`.
 */
export async function planSecrets(request: PlanRequest, engine: Engine, lookUp: LookUp): Promise<PlanResult> {
  const plans = await planInTime(request, engine);
  if (request.leavesDrift) nameWaiting(plans);
  const look = beginLook(request);
  if (look) await askStore(plans, { look, request, engine, lookUp });
  else if (request.settings) await markRewritten(plans, { look, request, engine, lookUp });
  if (!request.unlink) await giveNames(plans, { request, engine });
  keepFormer(plans);
  const secrets = plans.map(({ steps, associationId, policyFor: _policy, failed = new Set(), ...plan }) => ({
    ...plan,
    isLinked: associationId > 0,
    steps: steps.map((step) => ({
      ...toPlannedStep(step, engine),
      ...(failsAlready(step, failed) ? { failsAlready: true } : {}),
    })),
  }));
  return { secrets, look: look && countLook(look) };
}

type Looking = { look: PlanLook; request: PlanRequest; engine: Engine; lookUp: LookUp };

// Puts the store's answers into the steps.
async function askStore(plans: OpenPlan[], looking: Looking): Promise<void> {
  await lookAtNew(
    newSteps(plans, ({ isNew }) => isNew),
    plans,
    looking,
  );
  await markRewritten(plans, looking);
  const replaced = looking.request.compares ? await compareOwn(plans, looking) : new Set<OpenStep>();
  await lookAtNew(
    newSteps(plans, (step) => replaced.has(step)),
    plans,
    looking,
  );
  await judgePlaces(plans, looking);
}

function toPlannedStep(step: OpenStep, engine: Engine): PlannedStep {
  const { subKey, externalName, action, reason, holder } = step;
  const { prints, about, removedFrom, mayLose, unchecked } = step;
  const renaming = action === 'delete' ? describeMoves(step, engine) : null;
  return {
    subKey,
    externalName,
    action,
    reason,
    holder,
    ...(prints ? { prints } : {}),
    ...(about ? { about } : {}),
    ...(removedFrom ? { removedFrom } : {}),
    ...(renaming === null
      ? {}
      : { renaming: { reason: renaming, removedFrom: step.places?.removedFrom ?? [] } }),
    ...(mayLose ? { mayLose } : {}),
    ...(unchecked ? { unchecked } : {}),
  };
}

// The plans of the first secrets: as many as there is time and room for.
async function planInTime(request: PlanRequest, engine: Engine): Promise<OpenPlan[]> {
  const end = performance.now() + engine.context.config.COMMAND_TIMEOUT * SHARE_OF_TIME;
  const findCapacity = createPlanCapacity(request, engine);
  const plans: OpenPlan[] = [];
  let letters = 0;
  for (const secret of request.secrets) {
    const plan = await planSecret(request, secret, { engine, findCapacity });
    const own = plan.steps.reduce((sum, step) => sum + lettersOf(step), 0);
    const isTooLong = own > MOST_LETTERS_OF_SECRET;
    plans.push(isTooLong ? { ...plan, fault: 'too_many_entries', steps: [] } : plan);
    letters += isTooLong ? 0 : own;
    if (letters > MOST_LETTERS || performance.now() > end) break;
  }
  return plans;
}

function lettersOf({ subKey, externalName, reason, holder }: OpenStep): number {
  const others = holder === null ? 0 : JSON.stringify(holder).length;
  return LETTERS_OF_STEP + subKey.length + externalName.length + (reason?.length ?? 0) + others;
}

type NewStep = { step: OpenStep; policyFor: PolicyFor };
// Puts into steps what the store says of names that the ledger does not have, or that are no longer ours.
async function lookAtNew(
  steps: NewStep[],
  plans: OpenPlan[],
  { look, request, lookUp }: Looking,
): Promise<void> {
  const names = [...new Set(steps.map(({ step }) => step.externalName))];
  const sample = names.slice(0, roomIn(look, request));
  // Fingerprints are told of one linked secret alone: a person looks at its conflict.
  const isInspected = plans.length === 1 && plans.some(({ associationId }) => associationId > 0);
  const compared = comparedNames(plans, isInspected);
  const wanted = sample.map((name) => ({ name, comparedAs: compared.get(name) }));
  const sights = sample.length === 0 ? [] : await lookUp.names(wanted);
  const byName = new Map(sights.map((sight) => [sight.name, sight]));
  for (const { step, policyFor } of steps) {
    const sight = byName.get(step.externalName);
    const isGone = step.reason === GONE && (!sight || sight.state === 'unknown');
    Object.assign(step, judgeForeign(sight, policyFor(step.subKey), step.print));
    // That is still all that is known of it.
    if (isGone) step.reason = `${GONE}; ${step.reason}`;
    if (isInspected) Object.assign(step, foundOf(step, sight));
  }
  for (const { step } of steps) {
    const isUnknown = step.action === 'unknown';
    noteLook(look, step, isUnknown ? (byName.get(step.externalName)?.cause ?? null) : undefined);
  }
}

function newSteps(plans: OpenPlan[], isOpen: (step: OpenStep) => boolean): NewStep[] {
  return plans.flatMap(({ policyFor, steps }) => steps.filter(isOpen).map((step) => ({ step, policyFor })));
}

// Whose values are compared with ours, and as those of which association: whether an adoption replaces a value depends on that.
function comparedNames(plans: OpenPlan[], isInspected: boolean): Map<string, number> {
  return new Map(
    plans.flatMap(({ associationId, policyFor, steps }) =>
      steps
        .filter(({ subKey }) => isInspected || policyFor(subKey) === 'adopt')
        .map(({ externalName }) => [externalName, associationId] as const),
    ),
  );
}

function foundOf({ print }: OpenStep, sight: Sight | undefined): Pick<PlannedStep, 'prints' | 'about'> {
  const isForeign = sight?.state === 'unmarked' || sight?.state === 'other';
  // Of several that are in the way, one alone would mislead.
  if (!isForeign || sight.blocked || sight.print === undefined || print === undefined) return {};
  return { prints: { ours: print, found: sight.print }, ...(sight.about ? { about: sight.about } : {}) };
}
