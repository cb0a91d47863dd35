import { notFound } from '../../../../libs/errors/request-error.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import {
  listGivingRoles,
  listHoldingTokens,
  listNamespacesAbove,
  type GivingRole,
  type HoldingToken,
} from '../../../../libs/store/access/holders.ts';
import type { Namespace } from '../../../../libs/store/access/namespaces.ts';
import { listPolicyNames } from '../../../../libs/store/access/policies.ts';
import { lookUpMount } from '../../../../libs/store/secrets/mounts.ts';
import { filterInSlices, mapInSlices } from '../../../../libs/time/slices.ts';
import { grantOf, type Caller } from '../../access/caller.ts';
import { loadPolicies } from '../../access/match/load-policies.ts';
import type { CompiledPolicy } from '../../access/match/compile-policy.ts';
import { readersAnswer, type ReadersAnswer } from '../../contract/tokens.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { givesPolicy, MOST_HOLDERS } from './holders.ts';

const MOST_SHOWN = 500;
// Each is read once, however many tokens have it.
const MOST_POLICIES = 2000;
const DEFAULT = 'default';

/** Who may read the values of a secret, now. */
export const readerEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/readers/*path',
    access: 'sudo',
    summary:
      'Read which live tokens may read the values of a secret, and which roles and teams give that right, of its namespace and of those above',
    answers: { 200: { data: readersAnswer } },
    handle: async (request) => {
      const { services, namespace, params } = request;
      const path = params['path'] ?? '';
      const mount = await lookUpMount(services.db, namespace.id, path);
      const rest = mount ? path.slice(mount.path.length + 1) : '';
      if (!mount || rest === '') throw notFound();
      const wanted = mount.version === 2 ? `${mount.path}/data/${rest}` : path;
      const answer: ReadersAnswer = { path, tokens: [], roles: [], total_tokens: 0, is_complete: true };
      for (const place of await listNamespacesAbove(services.db, namespace.path))
        await addReaders(answer, request, { place, path: wanted });
      return ok({ ...answer, tokens: answer.tokens.slice(0, MOST_SHOWN) });
    },
  }),
];

type Question = { place: Namespace; path: string };

// Policies are those of the namespace of a token, and reach into the namespaces below it.
async function addReaders(answer: ReadersAnswer, request: ApiRequest, question: Question): Promise<void> {
  const { db } = request.services;
  const { place } = question;
  const tokens = await listHoldingTokens(db, place.id, MOST_HOLDERS);
  const roles = await listGivingRoles(db, place.id, MOST_HOLDERS);
  const stored = await listPolicyNames(db, place.id);
  const present = [...tokens, ...roles].flatMap(({ policies }) => policies);
  const offered = stored.filter((name) => roles.some((role) => givesPolicy(role, name)));
  const names = [...new Set([DEFAULT, ...present, ...offered])];
  const known = await loadEach(db, place.id, names.slice(0, MOST_POLICIES));
  const may = (policies: string[]): boolean => mayRead(request, question, compiled(policies, known));
  const alone = new Set(await filterInSlices([...known.keys()], (name) => may([name])));
  const readers = await filterBySet(tokens, may);
  const givers = await filterInSlices(roles, (role) => isGiver(role, { may, alone }));
  answer.total_tokens += readers.length;
  answer.is_complete &&=
    names.length <= MOST_POLICIES && tokens.length < MOST_HOLDERS && roles.length < MOST_HOLDERS;
  const namespace = place.path;
  answer.tokens.push(
    ...readers.slice(0, MOST_SHOWN).map((token) => ({
      name: token.display_name,
      user: token.username,
      accessor: token.accessor,
      namespace,
      policies: token.policies.filter((name) => alone.has(name)),
      bound_cidrs: token.bound_cidrs,
      expire_time: token.ends_at?.toISOString() ?? null,
      sessions: token.sessions,
    })),
  );
  answer.roles.push(
    ...givers.slice(0, MOST_SHOWN).map((role) => ({
      kind: role.of,
      mount: role.mount,
      name: role.name,
      namespace,
      policies: [...alone].filter((name) => givesPolicy(role, name)),
    })),
  );
}

// A role of tokens offers policies to choose from; all others give all of theirs, with the default policy.
function isGiver(
  role: GivingRole,
  { may, alone }: { may: (policies: string[]) => boolean; alone: Set<string> },
): boolean {
  if (role.of === 'token') return [...alone].some((name) => givesPolicy(role, name));
  return may([DEFAULT, ...role.policies]);
}

// Many tokens have the same policies.
async function filterBySet(
  tokens: HoldingToken[],
  may: (policies: string[]) => boolean,
): Promise<HoldingToken[]> {
  const bySet = new Map(tokens.map(({ policies }) => [policies.join('\n'), policies]));
  const sets = await mapInSlices([...bySet], ([key, policies]) => [key, may(policies)] as const);
  const allowed = new Set(sets.filter(([, isAllowed]) => isAllowed).map(([key]) => key));
  return tokens.filter(({ policies }) => allowed.has(policies.join('\n')));
}

function compiled(policies: string[], known: Map<string, CompiledPolicy>): CompiledPolicy[] {
  return policies.flatMap((name) => known.get(name) ?? []);
}

async function loadEach(
  db: Database,
  namespaceId: string,
  names: string[],
): Promise<Map<string, CompiledPolicy>> {
  const known = new Map<string, CompiledPolicy>();
  for (const name of names) {
    const [policy] = await loadPolicies(db, namespaceId, [name]);
    if (policy) known.set(name, policy);
  }
  return known;
}

function mayRead(
  { caller, namespace }: ApiRequest,
  { place, path }: Question,
  policies: CompiledPolicy[],
): boolean {
  const token = { ...caller.token, namespace_id: place.id, namespace_path: place.path };
  const holder: Caller = { token, policies, answers: new Map() };
  return grantOf(holder, namespace, path).capabilities.has('read');
}
