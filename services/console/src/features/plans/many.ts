import type { BulkAnswer, PlanAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import {
  addLooks,
  decisionsOf,
  ifUnchanged,
  nameOfSecret,
  planOf,
  readPlan,
  type Decision,
  type SecretRef,
  type WholePlan,
} from './plan.ts';

// The API takes at most so many secrets in one call.
const MOST_PLANNED = 100;
const MOST_CHANGED = 500;
const MOST_PLANS = 5;

/** How links are synced that a page shows as linked. */
const SYNC = ifUnchanged(undefined);

type Body = {
  destination?: Record<string, unknown>;
  unlink?: boolean;
  conflict_policy?: Decision;
  only_linked?: true;
  only_seen?: true;
};

/** The calls that tell what linking or unlinking these secrets would do. */
export function plansOf(
  { type, name }: { type: string; name: string },
  secrets: SecretRef[],
  body: Body = {},
): Call[] {
  const parts = partsOf(secrets, MOST_PLANNED);
  return (parts.length === 0 ? [[]] : parts).map((part) => planOf(type, name, { ...body, secrets: part }));
}

/** The calls that tell what a retry of these links would do. */
export function retryPlansOf(
  { type, name }: { type: string; name: string },
  secrets: SecretRef[],
  body: Body,
): Call[] {
  return partsOf(secrets, MOST_PLANNED).map((part) =>
    planOf(type, name, { ...body, filter: { secrets: part } }),
  );
}

/** Makes those calls, and reads their answers as one plan. If there are very many, only the first ones. */
export async function readPlans(calls: Call[]): Promise<WholePlan> {
  const plans: PlanAnswer[] = [];
  for (const call of calls.slice(0, MOST_PLANS)) plans.push(await readPlan(call));
  const [first, ...others] = plans;
  if (!first) throw new Error('there is no call to make');
  const plan = others.reduce(add, first);
  const isWhole = calls.length <= MOST_PLANS;
  return { plan, isWhole, isAsked: isWhole && plan.look !== null };
}

function add(sum: PlanAnswer, more: PlanAnswer): PlanAnswer {
  return {
    ...sum,
    secrets: [...sum.secrets, ...more.secrets],
    totals: addCounts(sum.totals, more.totals),
    look: sum.look && more.look && addLooks(sum.look, more.look),
  };
}

/** The calls that link secrets, or that unlink them. */
export function changesOf(
  { type, name }: { type: string; name: string },
  verb: 'set-many' | 'remove-many',
  secrets: SecretRef[],
  options: { conflict_policy?: Decision; only_linked?: true; only_seen?: true } = {},
): Call[] {
  const path = `${destinationPath(type, name)}/associations/${verb}`;
  return partsOf(secrets, MOST_CHANGED).map((part) => ({
    method: 'POST',
    path,
    body: { secrets: part, ...options },
  }));
}

/** The calls that sync the linked secrets about whose entries something was decided by agreeing to their plan. */
export function decidedCalls(linked: { type: string; name: string }, plan: PlanAnswer | undefined): Call[] {
  const decisions = decisionsOf(plan);
  const decided = (plan?.secrets ?? []).map(({ mount, secret_name }) => ({ mount, secret_name }));
  return (['overwrite', 'adopt'] as const).flatMap((decision) =>
    changesOf(
      linked,
      'set-many',
      decided.filter((secret) => decisions.get(nameOfSecret(secret)) === decision),
      { conflict_policy: decision, ...SYNC },
    ),
  );
}

/** The links of a plan about whose entries nothing was decided so, in as many parts as calls take. */
export function undecidedOf(plan: PlanAnswer | undefined): SecretRef[][] {
  const decisions = decisionsOf(plan);
  const others = (plan?.secrets ?? []).filter((secret) => !decisions.has(nameOfSecret(secret)));
  return partsOf(
    others.map(({ mount, secret_name }) => ({ mount, secret_name })),
    MOST_CHANGED,
  );
}

/** Makes those calls one after the other, and reads their answers as one. */
export async function changeAll(calls: Call[]): Promise<BulkAnswer> {
  const answers: BulkAnswer[] = [];
  for (const call of calls) answers.push(await carryOut<BulkAnswer>(call));
  const [first, ...others] = answers;
  if (!first) throw new Error('there is no call to make');
  return others.reduce(
    (sum, more) => ({
      ...sum,
      secrets: [...sum.secrets, ...more.secrets],
      totals: addCounts(sum.totals, more.totals),
    }),
    first,
  );
}

function addCounts(
  sum: Partial<Record<string, number>>,
  more: Partial<Record<string, number>>,
): Record<string, number> {
  const names = new Set([...Object.keys(sum), ...Object.keys(more)]);
  return Object.fromEntries([...names].map((name) => [name, (sum[name] ?? 0) + (more[name] ?? 0)]));
}

function partsOf(secrets: SecretRef[], size: number): SecretRef[][] {
  const count = Math.ceil(secrets.length / size);
  return Array.from({ length: count }, (_, index) => secrets.slice(index * size, (index + 1) * size));
}
