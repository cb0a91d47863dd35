import { performance } from 'node:perf_hooks';
import {
  MOST_LOOKED,
  type PlannedStep,
  type PlanRequest,
  type PlanResult,
} from '../../../commands/connector-commands.ts';
import { addUnchecked } from '../../../telling/planned.ts';
import type { Engine } from '../../engine.ts';
import { findLedger, type LedgerLine } from '../../../store/orders/ledger.ts';
import type { Cause } from '../../../store/orders/order.ts';
import { createPlanCapacity } from './excess.ts';
import { failsAlready } from './failing.ts';
import { giveNames } from './give-names.ts';
import { keepFormer } from './keep-former.ts';
import { judgeForeign, TOO_MANY, whyUnchecked } from './judge-foreign.ts';
import type { LookUp } from './look-up.ts';
import { markRewritten, nameWaiting } from './rewritten.ts';
import type { ComparedLine, Sight } from '../verify.ts';
import { CHANGE_LOST, GONE, planSecret, type OpenPlan, type OpenStep } from './plan-secret.ts';

// The part of the caller's time limit in which plans are begun. The store may need most of the rest.
const SHARE_OF_TIME = 0.15;
// A broker refuses messages of more than 16 MiB, and the reply is sealed. A plan that is larger than the first limit ends
// the reply; one that is larger than the second is in none.
const MOST_LETTERS = 1024 * 1024;
const MOST_LETTERS_OF_SECRET = 8 * 1024 * 1024;
// JSON around the names of a step.
const LETTERS_OF_STEP = 100;

const THERE = 'the store has this value already';
const STILL_THERE = 'this entry is still in the store';
const UNDELETED = 'its deletion is not confirmed';
const DELETED_BEFORE = 'this entry was deleted because the secret was unlinked';
const DELETED = 'this entry is deleted already, and Sealift makes sure of that';
const NO_LONGER_OURS = 'this entry is no longer ours, so it stays in the store';
// What becomes of a change that somebody may have made in an entry that the store does not show.
const MAY_BE_LOST = 'if someone changed it, that change is lost';

type Judgement = Partial<Pick<PlannedStep, 'action' | 'reason' | 'mayLose' | 'unchecked'>>;

/**
 * Says what syncing some secrets, or unlinking them, would do. Writes nothing. An entry that somebody else made would be
 * refused, overwritten or adopted, as the destination's conflict policy says. If the store does not tell, the action is
 * `unknown`.
 */
export async function planSecrets(request: PlanRequest, engine: Engine, lookUp: LookUp): Promise<PlanResult> {
  const plans = await planInTime(request, engine);
  const look = await lookAtStore(request, plans, lookUp);
  if (look) await markRewritten(plans, look, { request, engine, lookUp });
  if (look && request.compares)
    await compareOwn(plans, look, { engine, lookUp, onlySeen: request.onlySeen === true });
  if (request.leavesDrift) nameWaiting(plans);
  if (!request.unlink) await giveNames(plans, { request, engine });
  keepFormer(plans);
  const secrets = plans.map(
    ({ steps, associationId, conflictPolicy: _policy, failed = new Set(), ...plan }) => ({
      ...plan,
      isLinked: associationId > 0,
      steps: steps.map((step) => ({
        ...toPlannedStep(step),
        ...(failsAlready(step, failed) ? { failsAlready: true } : {}),
      })),
    }),
  );
  return { secrets, look };
}

function toPlannedStep({
  subKey,
  externalName,
  action,
  reason,
  holder,
  prints,
  about,
  removedFrom,
  mayLose,
  unchecked,
}: OpenStep): PlannedStep {
  return {
    subKey,
    externalName,
    action,
    reason,
    holder,
    ...(prints ? { prints } : {}),
    ...(about ? { about } : {}),
    ...(removedFrom ? { removedFrom } : {}),
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

// Puts the store's answers into the steps.
async function lookAtStore(
  { looked }: PlanRequest,
  plans: OpenPlan[],
  lookUp: LookUp,
): Promise<PlanResult['look']> {
  if (looked === null) return null;
  const steps = plans.flatMap(({ conflictPolicy, steps: own }) =>
    own.filter(({ isNew }) => isNew).map((step) => ({ step, conflictPolicy })),
  );
  const names = [...new Set(steps.map(({ step }) => step.externalName))];
  const sample = names.slice(0, Math.max(0, MOST_LOOKED - looked));
  // Fingerprints are told of one linked secret alone: a person looks at its conflict.
  const isInspected = plans.length === 1 && plans.some(({ associationId }) => associationId > 0);
  const compared = comparedNames(plans, isInspected);
  const wanted = sample.map((name) => ({ name, comparedAs: compared.get(name) }));
  const sights = sample.length === 0 ? [] : await lookUp.names(wanted);
  const byName = new Map(sights.map((sight) => [sight.name, sight]));
  for (const { step, conflictPolicy } of steps) {
    const sight = byName.get(step.externalName);
    Object.assign(step, judgeForeign(sight, conflictPolicy, step.print));
    if (isInspected) Object.assign(step, foundOf(step, sight));
  }
  const unknown = steps.filter(({ step }) => step.action === 'unknown');
  return {
    entries: names.length,
    unknown: unknown.length,
    cause: sights.find(({ cause }) => cause !== null)?.cause ?? null,
    causes: addUnchecked(
      unknown.map(({ step }) => ({ cause: byName.get(step.externalName)?.cause ?? null, entries: 1 })),
    ),
  };
}

// Whose values are compared with ours, and as those of which association: whether an adoption replaces a value depends on that.
function comparedNames(plans: OpenPlan[], isInspected: boolean): Map<string, number> {
  return new Map(
    plans
      .filter(({ conflictPolicy }) => isInspected || conflictPolicy === 'adopt')
      .flatMap(({ associationId, steps }) =>
        steps.map(({ externalName }) => [externalName, associationId] as const),
      ),
  );
}

// Syncing, retrying and unlinking read what the ledger says is ours, so the plan tells what they will find.
async function compareOwn(
  plans: OpenPlan[],
  look: NonNullable<PlanResult['look']>,
  { engine, lookUp, onlySeen }: { engine: Engine; lookUp: LookUp; onlySeen: boolean },
): Promise<void> {
  const steps = new Map(
    plans.flatMap((plan) => plan.steps.flatMap((one) => (one.entryId ? [[one.entryId, one] as const] : []))),
  );
  const lines: LedgerLine[] = [];
  const room = Math.max(0, MOST_LOOKED - look.entries);
  for (const { associationId, steps: own } of plans)
    if (lines.length < room && own.some(({ entryId }) => entryId))
      lines.push(...(await findLedger(engine.context.db, associationId)).filter(({ id }) => steps.has(id)));
  const compared = await lookUp.entries(lines.slice(0, room));
  const byId = new Map(compared.map((one) => [one.line.id, one]));
  for (const [id, step] of steps) {
    const judgement = step.action === 'delete' ? judgeLeaving : judgeOwn;
    Object.assign(step, judgement(byId.get(id), step, onlySeen));
  }
  const unknown = compared.filter(({ state }) => state === 'unknown');
  look.entries += steps.size;
  const left = steps.size - compared.length;
  look.unknown += unknown.length + left;
  look.causes = addUnchecked([
    ...(look.causes ?? []),
    ...unknown.map(({ cause }) => ({ cause, entries: 1 })),
    ...(left > 0 ? [{ cause: null, entries: left }] : []),
  ]);
  look.cause ??= unknown.find(({ cause }) => cause !== null)?.cause ?? null;
}

// An entry that was to be deleted.
function judgeLeaving(compared: ComparedLine | undefined, step: OpenStep): Judgement {
  if (compared?.isForeign) return { action: 'retain', reason: NO_LONGER_OURS };
  if (compared?.state === 'missing') return { action: 'unchanged', reason: GONE };
  if (compared?.state === 'deleted') return { action: 'unchanged', reason: DELETED };
  const { action: _stays, ...judged } = judgeOwn(compared, step, false);
  return judged;
}

// What the store does not tell is left as the ledger has it, and said to be unchecked.
function judgeOwn(
  compared: ComparedLine | undefined,
  { action, print, reason }: OpenStep,
  onlySeen: boolean,
): Judgement {
  const isKnown = action === 'overwrite' || reason === CHANGE_LOST;
  if (!compared)
    return isKnown ? {} : { reason: TOO_MANY, ...(action === 'unchanged' ? { unchecked: true } : {}) };
  const { line, state, cause, found, isForeign } = compared;
  if (state === 'unknown') return isKnown ? {} : judgeUnseen(action, cause, onlySeen);
  if (state === 'missing') return { action: 'create', reason: GONE };
  if (state === 'deleted') return { action: 'create', reason: DELETED_BEFORE };
  if (state === 'undeleted') return judgeUndeleted(compared);
  const isWanted = found !== null && found === print;
  if (isWanted && (state === 'drifted' || found !== line.valueFingerprint))
    return { action: isForeign ? 'adopt' : 'update', reason: THERE };
  if (state === 'drifted') return { action: 'overwrite', reason: CHANGE_LOST };
  return isKnown ? { action: isWanted ? 'unchanged' : 'update', reason: null } : {};
}

// Somebody may have changed an entry that the store does not show. An attempt overwrites that where it cannot look either.
function judgeUnseen(action: PlannedStep['action'], cause: Cause | null, onlySeen: boolean): Judgement {
  const why = whyUnchecked(cause);
  if (action !== 'unchanged') return { reason: `${MAY_BE_LOST}; ${why}`, mayLose: true };
  const stays = onlySeen && cause?.code !== 'permission_missing';
  return stays
    ? { reason: `if someone changed it, that change stays; ${why}`, unchecked: true }
    : { action: 'unknown', reason: `${MAY_BE_LOST}; ${why}` };
}

// Nothing but the newest version is known to be ours: the last call was to delete the entry.
function judgeUndeleted({ found, version }: ComparedLine): Judgement {
  if (found !== null && version !== undefined)
    return { reason: `${STILL_THERE} with the value of v${version}; ${UNDELETED}` };
  return { reason: `${STILL_THERE}; ${UNDELETED}, and ${MAY_BE_LOST}`, mayLose: true };
}

function foundOf({ print }: OpenStep, sight: Sight | undefined): Pick<PlannedStep, 'prints' | 'about'> {
  const isForeign = sight?.state === 'unmarked' || sight?.state === 'other';
  // Of several that are in the way, one alone would mislead.
  if (!isForeign || sight.blocked || sight.print === undefined || print === undefined) return {};
  return { prints: { ours: print, found: sight.print }, ...(sight.about ? { about: sight.about } : {}) };
}
