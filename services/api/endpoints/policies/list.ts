import { Type } from 'typebox';
import { listGivingRoles, listHoldingTokens } from '../../../../libs/store/access/holders.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import { listPolicies, listPolicyNames } from '../../../../libs/store/access/policies.ts';
import { BUILT_IN_POLICIES } from '../../access/policy.ts';
import { policiesAnswer, type ListedPolicyAnswer } from '../../contract/administration.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { endpoint, ok, type ApiRequest } from '../../routing/endpoint.ts';
import { allowValues } from '../tokens/session-tokens.ts';
import { givesPolicy, MOST_HOLDERS } from './holders.ts';

const MOST_ASKED = LIMITS.askedPolicies.value;
const PATH = '/sys/policies/acl';

/** The policies of a namespace and, if asked, who changed each, and how many have it. */
export const policyListEndpoint = endpoint({
  method: 'LIST',
  path: PATH,
  access: 'policy',
  summary: 'List the policies of a namespace',
  answers: { 200: { data: policiesAnswer } },
  query: Type.Object({
    reading: Type.Optional(
      Type.String({
        maxLength: MOST_ASKED * 130,
        description: `Names of at most ${MOST_ASKED} policies, with commas between: \`reading_values\` tells which of them allow to read values of secrets, of those that the caller may read.`,
      }),
    ),
    details: Type.Optional(
      Type.Boolean({
        description: 'Also tell who changed each last, and how many tokens, roles and teams have it.',
      }),
    ),
  }),
  handle: async (request) => {
    const { details: hasDetails, reading } = request.query;
    const keys = await namesOf(request);
    return ok({
      keys,
      ...(hasDetails ? { key_info: await describe(request, keys) } : {}),
      ...(reading === undefined ? {} : { reading_values: await findReading(request, reading.split(',')) }),
    });
  },
});

/** The names of all policies, built in or written, in order. */
export async function namesOf({ services, namespace }: ApiRequest): Promise<string[]> {
  // The policy for site administration has no meaning in other namespaces.
  const fixed = Object.keys(BUILT_IN_POLICIES).filter(
    (name) => name !== 'site-admin' || namespace.id === ROOT_NAMESPACE.id,
  );
  return [...fixed, ...(await listPolicyNames(services.db, namespace.id))].toSorted();
}

// One after the other: each looks at every mount.
async function findReading(request: ApiRequest, names: string[]): Promise<string[]> {
  requireWithin(LIMITS.askedPolicies, names.length);
  const reading: string[] = [];
  for (const name of new Set(names)) {
    const mayRead = request.may(`${PATH.slice(1)}/${name}`, 'read');
    if (mayRead && (await allowValues(request, [name]))) reading.push(name);
  }
  return reading;
}

async function describe(request: ApiRequest, names: string[]): Promise<Record<string, ListedPolicyAnswer>> {
  const { services, namespace, may } = request;
  const seen = new Set(names.filter((name) => may(`${PATH.slice(1)}/${name}/holders`, 'read')));
  const [stored, tokens, roles] = await Promise.all([
    listPolicies(services.db, namespace.id),
    seen.size === 0 ? [] : listHoldingTokens(services.db, namespace.id, MOST_HOLDERS),
    seen.size === 0 ? [] : listGivingRoles(services.db, namespace.id, MOST_HOLDERS),
  ]);
  const changes = new Map(stored.map((one) => [one.name, one]));
  const holders = new Map<string, number>();
  for (const name of tokens.flatMap(({ policies }) => policies))
    holders.set(name, (holders.get(name) ?? 0) + 1);
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        changed_at: changes.get(name)?.changed_at?.toISOString() ?? null,
        changed_by: changes.get(name)?.changed_by ?? null,
        tokens: seen.has(name) ? (holders.get(name) ?? 0) : null,
        roles: seen.has(name) ? roles.filter((role) => givesPolicy(role, name)).length : null,
      },
    ]),
  );
}
