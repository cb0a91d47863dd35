import type { PlannedStep, PlanRequest } from '../../../commands/connector-commands.ts';
import type { Engine } from '../../engine.ts';
import { findLedger, type LedgerLine } from '../../../store/orders/ledger.ts';
import type { Cause } from '../../../store/orders/order.ts';
import type { ComparedLine } from '../verify.ts';
import { TOO_MANY, whyUnchecked } from './judge-foreign.ts';
import { noteLook, roomIn, type PlanLook } from './look.ts';
import type { LookUp } from './look-up.ts';
import { describeRewriting, namePlaces } from './places.ts';
import { CHANGE_LOST, GONE, ONLY_MARKED, writesValue, type OpenPlan, type OpenStep } from './open-plan.ts';

const THERE = 'the store has this value already';
const STILL_THERE = 'this entry is still in the store';
const UNDELETED = 'its deletion is not confirmed';
const DELETED_BEFORE = 'this entry was deleted because the secret was unlinked';
const DELETED = 'this entry is deleted already, and Sealift makes sure of that';
const NO_LONGER_OURS = 'this entry is no longer ours, so it stays in the store';
const OTHER_LOST =
  'someone deleted this entry and made it again, or took our mark away, and what is there now would be lost';
const STAYS = 'this entry is not ours, so it stays in the store';
/** What becomes of a change that somebody may have made in an entry that the store does not show. */
export const MAY_BE_LOST = 'if someone changed it, that change is lost';

type Judgement = Partial<Pick<PlannedStep, 'action' | 'reason' | 'mayLose' | 'unchecked'>> & {
  removedFrom?: undefined;
};
type Comparing = { look: PlanLook; request: PlanRequest; engine: Engine; lookUp: LookUp };

// What a change of the destination does to entries of ours that it lets go of, or writes; it reads no others.
const LEAVING: ReadonlySet<PlannedStep['action']> = new Set(['delete', 'retain']);
const TOUCHING: ReadonlySet<PlannedStep['action']> = new Set([...LEAVING, 'update', 'overwrite']);

/** Whether the plan compares the entry of a step with the store: one that a sync, a retry, an unlinking or new settings would touch. */
export function isCompared(
  { entryId, subKey, action, isUnsure }: OpenStep,
  { compares, leavesDrift, decided }: PlanRequest,
): boolean {
  if (!compares || entryId === undefined) return false;
  // What somebody has made of it stays.
  if (decided && action === 'unchanged' && !decided.keys.includes(subKey)) return false;
  return !leavesDrift || isUnsure === true || TOUCHING.has(action);
}

/**
 * Puts into the steps what the store says of entries that the ledger has. Returns those in whose place the store has
 * somebody else's entry, which the conflict policy decides about.
 */
export async function compareOwn(
  plans: OpenPlan[],
  { look, request, engine, lookUp }: Comparing,
): Promise<Set<OpenStep>> {
  const { steps, lines } = await findCompared(plans, roomIn(look, request), { request, engine });
  const answers = await lookUp.entries(lines);
  const byId = new Map(answers.map((one) => [one.line.id, one]));
  const replaced = new Set<OpenStep>();
  for (const [id, step] of steps) {
    const compared = byId.get(id);
    // Whoever agrees to the plan of a sync decides to overwrite it.
    if (request.leavesDrift && compared?.isForeign && !isLeaving(step)) {
      delete step.removedFrom;
      delete step.places;
      replaced.add(step);
      continue;
    }
    // Nothing of what stays is lost.
    if (step.action === 'retain' && (!compared || compared.state === 'unknown')) continue;
    if (step.places && compared) moveAsSeen(step, compared, { request, engine });
    const judged = isLeaving(step)
      ? judgeLeaving(compared, step, engine)
      : judgeOwn(compared, step, request.onlySeen === true);
    Object.assign(step, judged);
    if (compared?.blocked && writesValue(step)) block(step, compared.blocked);
    noteLook(look, step, isUnread(compared) ? (compared?.cause ?? null) : undefined);
  }
  return replaced;
}

function isUnread(compared: ComparedLine | undefined): boolean {
  return !compared || (compared.state === 'unknown' && !compared.isTried);
}

function isLeaving({ action, isUnsure }: OpenStep): boolean {
  return isUnsure === true || LEAVING.has(action);
}

// The steps that the plan compares, by their entries, and the lines of the ledger that it asks about. What stays comes last.
async function findCompared(
  plans: OpenPlan[],
  room: number,
  { request, engine }: Pick<Comparing, 'request' | 'engine'>,
): Promise<{ steps: Map<number, OpenStep>; lines: LedgerLine[] }> {
  const steps = new Map<number, OpenStep>();
  const lines: LedgerLine[] = [];
  for (const isRetained of [false, true])
    for (const { associationId, steps: own } of plans) {
      const ids = new Set<number>();
      for (const step of own) {
        if (step.entryId === undefined || !isCompared(step, request)) continue;
        if ((step.action === 'retain') !== isRetained) continue;
        steps.set(step.entryId, step);
        ids.add(step.entryId);
      }
      if (lines.length < room && ids.size > 0)
        lines.push(...(await findLedger(engine.context.db, associationId)).filter(({ id }) => ids.has(id)));
    }
  return { steps, lines: lines.slice(0, room) };
}

function block(step: OpenStep, reason: string): void {
  Object.assign(step, { action: 'conflict', reason });
  delete step.removedFrom;
  delete step.places;
}

// The store may have it elsewhere than we wrote it.
function moveAsSeen(
  step: OpenStep,
  { moves, staysIn = [] }: ComparedLine,
  { request, engine }: Pick<Comparing, 'request' | 'engine'>,
): void {
  if (!moves) return;
  if (step.action === 'delete') {
    step.places = { ...moves, removedFrom: moves.removedFrom.filter((place) => !staysIn.includes(place)) };
    return;
  }
  step.places = moves;
  step.rewriting = describeRewriting(step, request, engine);
  step.reason = step.isChanged ? joined(CHANGE_LOST, step.rewriting) : step.rewriting;
  if (moves.removedFrom.length > 0) step.removedFrom = moves.removedFrom;
  else delete step.removedFrom;
}

// An entry that was to be deleted, or to stay.
function judgeLeaving(compared: ComparedLine | undefined, step: OpenStep, engine: Engine): Judgement {
  if (step.isUnsure) return judgeUnsure(compared);
  if (compared?.isForeign) return { action: 'retain', reason: NO_LONGER_OURS };
  if (compared?.state === 'missing') return { action: 'unchanged', reason: GONE };
  if (compared?.state === 'deleted') return { action: 'unchanged', reason: DELETED };
  if (step.action === 'retain') return {};
  if (compared?.staysIn?.length)
    return { reason: `someone added it to ${namePlaces(compared.staysIn, engine)}, and it stays there` };
  const { action: _stays, ...judged } = judgeOwn(compared, step, false);
  return judged;
}

// An entry that goes only if it bears our mark.
function judgeUnsure(compared: ComparedLine | undefined): Judgement {
  const { state, cause = null } = compared ?? {};
  if (state === 'foreign') return { action: 'retain', reason: STAYS, unchecked: false };
  if (state === 'deleted') return { reason: DELETED, unchecked: false };
  if (compared && state === 'undeleted')
    return { ...judgeUndeleted(compared), action: 'delete', unchecked: false };
  return { reason: joined(ONLY_MARKED, compared ? whyUnchecked(cause) : TOO_MANY) };
}

// What the store does not tell is left as the ledger has it, and said to be unchecked.
function judgeOwn(compared: ComparedLine | undefined, step: OpenStep, onlySeen: boolean): Judgement {
  const { print, isChanged: isKnown, rewriting } = step;
  if (!compared) return isKnown ? {} : judgeUnasked(step);
  const { line, state, cause, found, isForeign } = compared;
  // Nothing of anybody else is there.
  if (compared.isTried) return {};
  if (state === 'unknown') return isKnown ? {} : judgeUnseen(step, cause, onlySeen);
  if (state === 'missing') return { action: 'create', reason: GONE, removedFrom: undefined };
  if (state === 'deleted') return { action: 'create', reason: DELETED_BEFORE };
  if (state === 'undeleted') return judgeUndeleted(compared);
  const isWanted = found !== null && found === print;
  if (isWanted && (state === 'drifted' || found !== line.valueFingerprint))
    return { action: isForeign ? 'adopt' : 'update', reason: joined(THERE, rewriting) };
  if (state === 'drifted')
    return { action: 'overwrite', reason: joined(isForeign ? OTHER_LOST : CHANGE_LOST, rewriting) };
  if (!isKnown) return {};
  return { action: isWanted && !rewriting ? 'unchanged' : 'update', reason: rewriting ?? null };
}

// A write replaces what somebody may have made of the entry.
function judgeUnasked({ action, rewriting }: OpenStep): Judgement {
  if (action === 'unchanged') return { reason: TOO_MANY, unchecked: true };
  return { reason: joined(rewriting, MAY_BE_LOST, TOO_MANY), mayLose: true };
}

// Somebody may have changed an entry that the store does not show. An attempt overwrites that where it cannot look either.
function judgeUnseen({ action, rewriting }: OpenStep, cause: Cause | null, onlySeen: boolean): Judgement {
  const why = whyUnchecked(cause);
  if (action !== 'unchanged') return { reason: joined(rewriting, MAY_BE_LOST, why), mayLose: true };
  const stays = onlySeen && cause?.code !== 'permission_missing';
  return stays
    ? { reason: joined('if someone changed it, that change stays', why), unchecked: true }
    : { action: 'unknown', reason: joined(MAY_BE_LOST, why) };
}

// Nothing but the newest version is known to be ours: the last call was to delete the entry.
function judgeUndeleted({ found, version }: ComparedLine): Judgement {
  if (found !== null && version !== undefined)
    return { reason: joined(`${STILL_THERE} with the value of v${version}`, UNDELETED) };
  return { reason: `${STILL_THERE}; ${UNDELETED}, and ${MAY_BE_LOST}`, mayLose: true };
}

function joined(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join('; ');
}
