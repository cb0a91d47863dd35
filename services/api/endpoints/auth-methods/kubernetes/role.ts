import { Type, type Static } from 'typebox';
import { badRequest, notFound } from '../../../../../libs/errors/request-error.ts';
import type { TokenRules } from '../../../../../libs/store/auth/roles.ts';
import { kubernetesRoleAnswer } from '../../../contract/mounts.ts';
import type { ClusterConfig } from '../../../log-in/ask-cluster.ts';
import { NAMESPACE_SELECTOR, namespaceSelectorOf } from '../../../log-in/namespace-selector.ts';
import type { ServiceAccountRules } from '../../../log-in/service-account.ts';
import { presentRole } from '../../../presenters/auth-method.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../../routing/endpoint.ts';
import { names } from '../../tokens/schemas.ts';
import { openToCluster } from '../open-roles.ts';
import { deleteRoleOf, findRole, listRolesOf, writeRole, writeRoleOf } from '../role-rows.ts';
import {
  authMountOf,
  checkTokenRules,
  given,
  NEW_TOKEN_RULES,
  tokenRuleBody,
  tokenRulesOf,
} from '../token-rules.ts';

const ROLE = '/~kubernetes/role/:name';
const MOST_BOUND = 500;
const LONGEST = 253;

/** What a role of `kubernetes` asks of a token. */
export type KubernetesRules = ServiceAccountRules & {
  /** Empty: any. */
  audience: string;
  /** Stored and returned: there are no entities whose alias it would name. */
  alias_name_source: string;
};

type Settings = TokenRules & KubernetesRules;

const ALIAS_SOURCES = ['serviceaccount_uid', 'serviceaccount_name'];

/** The body of a role of `kubernetes`. */
export const kubernetesRoleBody = Type.Object({
  bound_service_account_names: names(
    'Names of the service accounts that may log in. In a name, * stands for any text.',
  ),
  bound_service_account_namespaces: names(
    'The namespaces of these service accounts. In a name, * stands for any text.',
  ),
  bound_service_account_namespace_selector: Type.Optional(
    Type.Unknown({
      description:
        'Lets in further namespaces by their labels: a LabelSelector with matchLabels, as an object or as a text in JSON or YAML.',
    }),
  ),
  audience: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'Only tokens issued for this audience are accepted. Set one: without it, tokens for any service are.',
    }),
  ),
  alias_name_source: Type.Optional(
    Type.String({ description: `${ALIAS_SOURCES.join(' or ')}. Stored and returned; it has no effect.` }),
  ),
  ...tokenRuleBody,
});

const NEW_ROLE: Settings = {
  bound_service_account_names: [],
  bound_service_account_namespaces: [],
  bound_service_account_namespace_selector: '',
  audience: '',
  alias_name_source: 'serviceaccount_uid',
  ...NEW_TOKEN_RULES,
};

/** The roles of `kubernetes`. */
export const kubernetesRoleEndpoints: Endpoint[] = [
  listRolesOf('kubernetes'),
  endpoint({
    method: 'GET',
    path: ROLE,
    access: 'policy',
    summary: 'Read a role',
    answers: { 200: { data: kubernetesRoleAnswer } },
    handle: async (request) => {
      const role = await findRole<KubernetesRules>(request);
      if (!role) throw notFound();
      return ok({ bound_service_account_namespace_selector: '', ...presentRole(role) });
    },
  }),
  writeRoleOf('kubernetes', kubernetesRoleBody, (request) =>
    writeRole<KubernetesRules>(request, {
      newRole: NEW_ROLE,
      changes: () => changesOf(request.body),
      check: (settings) => check(request, settings),
    }),
  ),
  deleteRoleOf('kubernetes', 'Delete a role; its tokens stay, but cannot be renewed'),
];

async function changesOf(body: Static<typeof kubernetesRoleBody>): Promise<Partial<Settings>> {
  const { alias_name_source: source, audience } = body;
  if (source && !ALIAS_SOURCES.includes(source))
    throw badRequest(`invalid alias_name_source: it is ${ALIAS_SOURCES.join(' or ')}`);
  return {
    ...tokenRulesOf(body),
    ...given<KubernetesRules>({
      bound_service_account_names: boundOf('bound_service_account_names', body),
      bound_service_account_namespaces: boundOf('bound_service_account_namespaces', body),
      [NAMESPACE_SELECTOR]: await namespaceSelectorOf(body[NAMESPACE_SELECTOR]),
      audience: audience?.trim(),
      alias_name_source: source || undefined,
    }),
  };
}

type Bound = 'bound_service_account_names' | 'bound_service_account_namespaces';

function boundOf(field: Bound, body: Partial<Record<Bound, string[]>>): string[] | undefined {
  const bound = body[field]?.map((name) => name.trim()).filter(Boolean);
  if (!bound) return undefined;
  if (bound.length > MOST_BOUND || bound.some((name) => name.length > LONGEST))
    throw badRequest(`${field} has at most ${MOST_BOUND} names of at most ${LONGEST} characters`);
  if (bound.length > 1 && bound.includes('*')) throw badRequest('can not mix "*" with values');
  return bound;
}

function check(request: ApiRequest, settings: Settings): void {
  checkTokenRules(request, settings);
  if (settings.bound_service_account_names.length === 0)
    throw badRequest('"bound_service_account_names" can not be empty');
  if (settings.bound_service_account_namespaces.length === 0 && !settings[NAMESPACE_SELECTOR])
    throw badRequest(
      `"bound_service_account_namespaces" can not be empty if "${NAMESPACE_SELECTOR}" is not set`,
    );
  if (
    settings[NAMESPACE_SELECTOR] &&
    !(authMountOf(request).config as Partial<ClusterConfig>).kubernetes_host
  )
    request.warn(
      `${NAMESPACE_SELECTOR} lets in nobody until the configuration has a kubernetes_host, where a reviewer may read namespaces`,
    );
  const open = openToCluster(settings);
  if (open !== null) request.warn(open);
  if (settings.audience === '')
    request.warn(
      'this role does not name an audience: a token that a pod got for somebody else logs in, too. Set audience.',
    );
}
