import type { LookAnswer, PlanAnswer, PlannedSecretAnswer } from '../../../../api/contract/plans.ts';
import { addUnchecked } from '../../../../../libs/telling/planned.ts';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { destinationPath } from '../../api/queries.ts';
import { readOf, rightFor, type Right } from '../../api/right.ts';

/** A secret, in the form that bulk calls use. */
export type SecretRef = { mount: string; secret_name: string; secret_name_template?: string };

/**
 * The secrets of a text, one on each line: with a mount of `mounts`, as pages name secrets, or else in `mount`. Blanks count,
 * because the name of a secret may have them.
 */
export function secretsOf(mount: string, text: string, mounts: string[]): SecretRef[] {
  const longestFirst = mounts.toSorted((one, other) => other.length - one.length);
  const secrets = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const own = longestFirst.find((path) => line.startsWith(`${path}/`) && line.length > path.length + 1);
      return own === undefined
        ? { mount, secret_name: line }
        : { mount: own, secret_name: line.slice(own.length + 1) };
    });
  return [...new Map(secrets.map((secret) => [nameOfSecret(secret), secret])).values()];
}

/** A secret with its mount, as pages name it. */
export function nameOfSecret({ mount, secret_name: path }: SecretRef): string {
  return `${mount}/${path}`;
}

/** The right to the values of each secret. The API links only secrets that the caller may read. */
export function readsOf(secrets: SecretRef[]): Right[] {
  return secrets.map(({ mount, secret_name: path }) => readOf({ mount, path }));
}

/** What becomes of entries that are not ours, or no longer bear our mark. */
export type Decision = 'overwrite' | 'adopt';

type Planned = {
  destination?: Record<string, unknown>;
  secrets?: SecretRef[];
  filter?: RetryFilter;
  unlink?: boolean;
  conflict_policy?: Decision;
  keys?: string[];
  only_linked?: true;
  only_seen?: true;
};

/** Leaves what someone has changed in the store since its plan was read, so that nothing is lost that nobody agreed to. */
export const ONLY_SEEN = { only_seen: true } as const;

/**
 * Keeps a call about a link from linking again what someone unlinks meanwhile, and from overwriting what someone changes
 * meanwhile. `shown`: the link as the page shows it.
 */
export function ifUnchanged(shown: { unlinking?: true } | undefined): {
  only_linked?: true;
  only_seen: true;
} {
  return { ...ONLY_SEEN, ...(shown?.unlinking ? {} : { only_linked: true }) };
}

/** What becomes of entries with these causes. What someone changed may no longer bear our mark, and then counts as theirs. */
export function decisionOn(causes: (string | undefined)[]): Pick<Planned, 'conflict_policy'> {
  return causes.includes('changed_outside') ? { conflict_policy: 'overwrite' } : {};
}

/**
 * What was decided about each secret by agreeing to its plan. What is overwritten was ours, and someone else may have taken
 * our mark away.
 */
export function decisionsOf(plan: PlanAnswer | undefined): Map<string, Decision> {
  const decided = plan?.secrets.flatMap((secret) => {
    const decision = decisionIn(secret);
    return decision ? [[nameOfSecret(secret), decision] as const] : [];
  });
  return new Map(decided);
}

// None if some of its entries are not ours: those are decided one by one.
function decisionIn({ planned }: PlannedSecretAnswer): Decision | undefined {
  const actions = new Set(planned.map(({ action }) => action));
  if (actions.has('conflict') || actions.has('unknown')) return undefined;
  return (['overwrite', 'adopt'] as const).find((action) => actions.has(action));
}

/** The call for one secret as its plan was agreed to. */
export function agreedTo(call: Call, plan: PlanAnswer | undefined): Call {
  if (!plan) return call;
  const [decision] = decisionsOf(plan).values();
  return { ...call, body: { ...(call.body as object), conflict_policy: decision } };
}

/** Which links a retry is about. */
export type RetryFilter = {
  cause?: string | undefined;
  status?: string[] | undefined;
  q?: string | undefined;
  secrets?: SecretRef[] | undefined;
};

/**
 * The call that tells what linking, retrying or unlinking secrets, or a change of the destination, would do; `draft`: the
 * right to make that change.
 */
export function planOf(type: string, name: string, body: Planned, draft?: Right): Call {
  const path = `${destinationPath(type, name)}/plan`;
  const rights = [rightFor('POST', path), ...(draft ? [draft] : [])];
  return { method: 'POST', path, body: { ...body, look: true }, rights };
}

/** Makes that call. Does not ask the store if there is no worker of its type. */
export async function readPlan(plan: Call): Promise<PlanAnswer> {
  return ask<PlanAnswer>(plan).catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 503) throw error;
    return ask<PlanAnswer>({ ...plan, body: { ...(plan.body as object), look: false } });
  });
}

/** What two parts of a plan could not check. */
export function addLooks(sum: LookAnswer, more: LookAnswer): LookAnswer {
  return {
    entries: sum.entries + more.entries,
    unknown: sum.unknown + more.unknown,
    cause: sum.cause ?? more.cause,
    causes: addUnchecked([...sum.causes, ...more.causes]),
  };
}

const MOST_PAGES = 5;

/** A plan of all links that it is about, or of the first ones if they are very many. */
export type WholePlan = {
  plan: PlanAnswer;
  isWhole: boolean;
  /** The store was asked about all of it. */
  isAsked: boolean;
};

/**
 * Reads the pages of a plan together. After one about which the store did not tell all, no further one asks it: that may take
 * long.
 */
export async function readWholePlan(call: Call): Promise<WholePlan> {
  const first = await readPlan(call);
  const totals: Record<string, number> = { ...first.totals };
  const secrets = [...first.secrets];
  let { look, next_after: after } = first;
  let isAsked = look !== null;
  for (let page = 1; after !== null && page < MOST_PAGES; page += 1) {
    const isAnswering = look !== null && look.unknown === 0;
    const body = { ...(call.body as object), look: isAnswering, after };
    const more: PlanAnswer = await ask<PlanAnswer>({ ...call, body });
    isAsked &&= more.look !== null;
    if (look && more.look) look = addLooks(look, more.look);
    for (const [action, count] of Object.entries(more.totals)) totals[action] = (totals[action] ?? 0) + count;
    secrets.push(...more.secrets);
    after = more.next_after;
  }
  return {
    plan: { ...first, secrets, totals, look },
    isWhole: after === null,
    isAsked: isAsked && after === null,
  };
}

/** Actions that change nothing in the store. */
const IDLE = new Set(['unchanged', 'retain', 'refused', 'conflict', 'taken', 'left_out', 'error']);
/** Those of them after which the link fails. */
const FAILING = new Set(['refused', 'conflict', 'taken']);
/** Actions after which something is gone, and those of which nobody knows. */
const LOSSES = new Set(['delete', 'rename', 'overwrite', 'adopt', 'unknown']);

/** The number of entries that a plan changes in the store. */
export function countChanges({ totals }: PlanAnswer): number {
  return sumOf(totals, (action) => !IDLE.has(action));
}

/**
 * The numbers of entries that a plan can't write: of those whose links fail then, and of those that fail already. `secrets`: of
 * how many secrets they are; null if the plan does not name all.
 */
export function countFailing({ totals, secrets, next_after: next }: PlanAnswer): {
  later: number;
  already: number;
  secrets: number | null;
} {
  const already = secrets.flatMap(({ planned }) => planned.filter((step) => step.fails_already)).length;
  const later = sumOf(totals, (action) => FAILING.has(action)) - already;
  const failing = secrets.filter(({ planned }) => planned.some(({ action }) => FAILING.has(action)));
  return { later, already, secrets: next === null ? failing.length : null };
}

/** Whether something may be lost in the store, so that the user must type a name. */
export function isLosing({ plan, isWhole, isAsked }: WholePlan): boolean {
  const isRisky = plan.secrets.some(({ planned }) =>
    planned.some((step) => step.removed_from ?? step.may_lose),
  );
  const isUnseen = !isAsked && (plan.totals.update ?? 0) > 0;
  return !isWhole || isRisky || isUnseen || sumOf(plan.totals, (action) => LOSSES.has(action)) > 0;
}

function sumOf(totals: Record<string, number>, counts: (action: string) => boolean): number {
  return Object.entries(totals).reduce((sum, [action, count]) => sum + (counts(action) ? count : 0), 0);
}

/** Whether a plan says anything of an entry or a secret; otherwise nothing is in the store, and nothing comes there. */
export function hasRows({ secrets }: PlanAnswer): boolean {
  return secrets.some(({ error, planned }) => error !== null || planned.length > 0);
}

/** Whether nothing can be done about any secret of a plan. */
export function hasOnlyErrors({ secrets }: PlanAnswer): boolean {
  return secrets.length > 0 && secrets.every(({ error }) => error !== null);
}
