import { Type, type Static } from 'typebox';
import { badRequest, reasonOf, RequestError } from '../../../../libs/errors/request-error.ts';
import { findNamedAssociation } from '../../../../libs/store/associations/associations.ts';
import { requireAbsent } from '../../../../libs/validation/preconditions.ts';
import { listRecords } from '../../../../libs/store/associations/records.ts';
import { listRows } from '../../../../libs/store/associations/rows.ts';
import {
  planAnswer,
  secretPlanAnswer,
  type LookAnswer,
  type PlanAnswer,
  type PlannedSecretAnswer,
} from '../../contract/plans.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import {
  decidedKeysSchema,
  decisionSchema,
  ownTemplateSchema,
  namedSecret,
  noteNamed,
  pageStart,
  requireMount,
  secretBody,
  type NamedSecret,
} from '../associations/common.ts';
import { filterOf, NO_OTHER_FIELDS } from '../associations/filter.ts';
import { beingUnlinked, notLinked } from '../associations/link.ts';
import { ownTemplateOf, requireReadable } from '../associations/source.ts';
import { nameOf, requireDestination, requireNamed } from '../named-destination.ts';
import { asStored, readDraft, type PlannedDestination } from '../destinations/draft.ts';
import { askForPlans, type AnsweredPlan, type WantedPlan, type WantedSecret } from './ask-worker.ts';
import { decided } from './decided.ts';
import { markCollisions, type MarkedPlan } from './mark-collisions.ts';
import { look, MOST_PLANNED, planBody } from './plan-body.ts';

const PATH = '/sys/sync/destinations/:type/:name';
type Wanted = Static<typeof planBody>;

// `own`: the template that the secret would get for itself; `isUnlinking`: a retry deletes its entries.
type PlannedSecret = NamedSecret & { own?: string | undefined; isUnlinking?: boolean };

/** What syncing would do, before anything is stored or written. A worker of the type plans; without one, the calls get 503. */
export const planEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/associations/plan`,
    access: 'policy',
    summary: 'Show what linking a secret would write, without writing anything',
    answers: { 200: { data: secretPlanAnswer } },
    body: Type.Object(
      {
        ...secretBody.properties,
        conflict_policy: decisionSchema,
        keys: decidedKeysSchema,
        secret_name_template: ownTemplateSchema,
        look,
      },
      NO_OTHER_FIELDS,
    ),
    handle: async (request) => {
      const secret = namedSecret(request.body);
      await noteNamed(request, secret);
      requireReadable(request, secret);
      const mount = await requireMount(request, secret);
      const { type, row, spelling, key } = await requireDestination(request);
      const stored = asStored(row);
      const wanted = {
        type: type.type,
        ...decided(stored, request.body),
        draft: undefined,
        unlink: false,
        compares: true,
      };
      // `set` takes the place of what waits for a pause to end, and tries again what waits for the store.
      const { plans, look: seen } = await askForPlans(
        request,
        {
          ...wanted,
          look: request.body.look === true,
          keepsDecisions: request.body.conflict_policy === undefined && 'pending',
          keepsUnlinking: false,
          onlySeen: false,
        },
        [{ mount, path: secret.path, template: ownTemplateOf(request.body, stored) }],
      );
      const [plan] = plans;
      if (!plan || plan.fault !== null) throw badRequest(plan?.fault ?? 'there is no plan');
      return ok({
        store_name: key.name,
        store_type: spelling,
        mount: mount.path,
        secret_name: secret.path,
        source_version: plan.version,
        is_fallback: plan.isFallback,
        planned: plan.steps,
        look: seen,
      });
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/plan`,
    access: 'policy',
    summary:
      'Show what linking, retrying or unlinking secrets, or changing the destination would write; the destination need not exist yet',
    answers: { 200: { data: planAnswer } },
    takesIfNoneMatch: true,
    body: planBody,
    handle: async (request) => {
      const named = requireNamed(request);
      const { destination: fields, unlink = false, conflict_policy: decision } = request.body;
      if (fields && unlink) throw badRequest('destination and unlink cannot be planned together');
      const draft = fields && (await readDraft(request, named, fields));
      const present = draft?.destination ?? (await readStored(request));
      const { secrets, next } = await wantedSecrets(request, present);
      const { type } = named.type;
      const wanted = {
        type,
        ...decided(present, request.body),
        draft: draft || undefined,
        unlink,
        look: request.body.look === true,
        compares: Boolean(fields ?? request.body.secrets ?? request.body.filter),
        // Most changes of the settings end what was decided: the entry may be another one then.
        keepsDecisions: decision === undefined && (!draft || draft.keepsDecisions),
        keepsUnlinking: Boolean(fields) || !request.body.secrets,
        onlySeen: request.body.only_seen === true,
      };
      const { planned: plans, look: seen } = await planAll(request, wanted, secrets);
      const planned = markCollisions(plans, named.type.names);
      return ok({
        store_name: named.key.name,
        store_type: named.spelling,
        secrets: planned,
        totals: count(planned),
        next_after: next,
        look: seen,
      } satisfies PlanAnswer);
    },
  }),
];

async function readStored(request: ApiRequest): Promise<PlannedDestination> {
  const { row, ...named } = await requireDestination(request);
  requireAbsent(request.header('if-none-match'), row, nameOf(named));
  return asStored(row);
}

async function wantedSecrets(
  request: ApiRequest<Wanted>,
  { id }: PlannedDestination,
): Promise<{ secrets: PlannedSecret[]; next: string | null }> {
  const { secrets, after, filter } = request.body;
  if (secrets) {
    const own = (one: (typeof secrets)[number]) => ({ ...namedSecret(one), own: one.secret_name_template });
    return { secrets: secrets.map(own), next: null };
  }
  if (id === 0)
    throw badRequest('secrets is required: the destination does not exist, so no secrets are linked to it');
  const start = after ? await pageStart(request, after) : undefined;
  const page = { after: start, limit: MOST_PLANNED };
  const { db } = request.services;
  const records = filter
    ? await listRows(db, { destinationId: id, filter: filterOf(filter), ...page })
    : await listRecords(db, id, page);
  const last = records.length === MOST_PLANNED ? records.at(-1) : undefined;
  return {
    secrets: records.map(({ mount, secret_path: path, removing: isUnlinking }) => ({
      mount,
      path,
      isUnlinking,
    })),
    next: last ? `${last.accessor}/${last.secret_path}` : null,
  };
}

// A fault of one secret is reported with that secret. The others are planned anyway.
async function planAll(
  request: ApiRequest<Wanted>,
  wanted: WantedPlan,
  secrets: PlannedSecret[],
): Promise<{ planned: MarkedPlan[]; look: LookAnswer | null }> {
  const found: (WantedSecret | { fault: string })[] = [];
  for (const secret of secrets) found.push(await findPlannable(request, wanted, secret));
  const { plans, look: seen } = await askForPlans(
    request,
    wanted,
    found.filter((one) => 'mount' in one),
  );
  const left = plans.values();
  const planned = secrets.map((secret, index): MarkedPlan => {
    const one = found[index];
    const plan = one && 'fault' in one ? { ...NO_PLAN, ...one } : (left.next().value ?? NO_PLAN);
    const endsDecision = wanted.draft?.keepsDecisions === false || secret.own !== undefined;
    const answer = {
      mount: secret.mount,
      secret_name: secret.path,
      source_version: plan.version,
      is_fallback: plan.isFallback,
      planned: plan.steps,
      error: plan.fault,
      ...(endsDecision && plan.standing ? { ends_decision: plan.standing } : {}),
      ...(secret.isUnlinking && wanted.keepsUnlinking && !wanted.unlink ? { unlinking: true as const } : {}),
    };
    return { answer, isLinked: plan.isLinked };
  });
  return { planned, look: seen };
}

const NO_PLAN: AnsweredPlan = { version: null, isFallback: false, steps: [], fault: null, isLinked: true };

async function findPlannable(
  request: ApiRequest<Wanted>,
  { unlink, destination }: WantedPlan,
  secret: PlannedSecret,
): Promise<WantedSecret | { fault: string }> {
  try {
    if (!unlink) requireReadable(request, secret);
    const template = ownTemplateOf({ secret_name_template: secret.own }, destination);
    const mount = await requireMount(request, secret);
    if (request.body.only_linked) {
      const key = { destinationId: destination.id, mountId: mount.id, secretPath: secret.path };
      const linked = await findNamedAssociation(request.services.db, key);
      if (!linked) throw notLinked();
      if (linked.removing) throw beingUnlinked();
    }
    return { mount, path: secret.path, template };
  } catch (error) {
    if (!(error instanceof RequestError) || error.status >= 500) throw error;
    return { fault: reasonOf(error) };
  }
}

function count(planned: PlannedSecretAnswer[]): PlanAnswer['totals'] {
  const totals: PlanAnswer['totals'] = {};
  const words = planned.flatMap(({ planned: steps, error }) =>
    error === null ? steps.map(({ action }) => action) : (['error'] as const),
  );
  for (const word of words) totals[word] = (totals[word] ?? 0) + 1;
  return totals;
}
