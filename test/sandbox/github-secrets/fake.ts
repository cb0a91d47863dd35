import type { Discarding } from '../contract.ts';
import {
  startFake,
  type CallContext,
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
} from '../fake-server.ts';
import { findRoute, type Route } from './paths.ts';
import * as replies from './replies.ts';
import { deleteSecret, listSecrets, putSecret, readPublicKey, readSecret } from './secrets.ts';
import { createApps } from './apps.ts';
import { textsOf } from '../trust.ts';
import { createStore, type Scope, type Store } from './store.ts';
import { canSee, createTokens, missingPermission, type Grant } from './tokens.ts';

/** What tests can do to this store beyond the common interface. `repository` is `owner/name`. */
export type RepoHostFake = Fake &
  Discarding &
  Pick<
    Store,
    'rotateKey' | 'rename' | 'remake' | 'removeRepository' | 'removeEnvironment' | 'plantInOrganization'
  > & {
    restrictToken: (token: string, grant: Grant) => void;
    apps: Pick<ReturnType<typeof createApps>, 'put' | 'lasting' | 'settling' | 'tokens' | 'revokeAll'>;
  };

// All that an app may be given for secrets.
const APP_RIGHTS = [
  'secrets',
  'environments',
  'dependabot_secrets',
  'codespaces_secrets',
  'organization_secrets',
  'organization_dependabot_secrets',
  'organization_codespaces_secrets',
];

const WRITES = new Set(['putSecret', 'deleteSecret']);
const API_VERSIONS = ['2022-11-28', '2026-03-10'];

/**
 * GitHub's REST API for secrets of repositories, environments and organizations, with access tokens and with apps. Own faults: `rotate-key` replaces the key of the repository or environment before
 * the call; `forbidden`, `hidden` (404), `single-sign-on` and `login-attempts` refuse the call. `hourlyLimit` enforces the
 * primary rate limit.
 */
export async function startRepoHostFake(
  options: FakeOptions & { hourlyLimit?: number } = {},
): Promise<RepoHostFake> {
  const store = createStore();
  const apps = createApps();
  const tokens = createTokens(apps.grantOf);
  const allowance = { limit: options.hourlyLimit ?? 5000, used: 0, resetsAt: inAnHour() };

  function answer(request: FakeRequest, call: CallContext): FakeReply {
    const version = request.headers['x-github-api-version'] ?? '2022-11-28';
    if (!API_VERSIONS.includes(String(version)))
      return replies.unsupportedVersion(String(version), API_VERSIONS);
    if (call.operation === 'signIn') return apps.signIn(request, findRoute(request).installation);
    const grant = tokens.read(request, call.isAccepted);
    if (call.takeFault('login-attempts')) return replies.tooManyLogins();
    if (!grant) return replies.badCredentials();
    if (options.hourlyLimit !== undefined && allowance.used >= allowance.limit)
      return replies.primaryLimit(allowance.resetsAt);
    if (call.operation === 'getRateLimit') return { status: 200, body: { resources: { core: allowance } } };
    allowance.used += 1;
    if (call.operation === 'getUser') return { status: 200, body: { login: 'sealift-bot', id: 1 } };
    const route = findRoute(request);
    return route.organization === null
      ? answerRepository(request, route, grant, call)
      : answerOrganization(request, route, grant, call);
  }

  function answerRepository(request: FakeRequest, route: Route, grant: Grant, call: CallContext): FakeReply {
    const repository = store.find(route.owner, route.repository);
    if (!repository || !canSee(route, grant) || call.takeFault('hidden')) return replies.notFound();
    if (repository.movedTo) return moved(request, repository.fullName, repository.movedTo);
    if (call.takeFault('single-sign-on'))
      return replies.fault(403, 'Resource protected by organization SAML enforcement.', {
        'x-github-sso': 'required; url=https://github.com/orgs/acme/sso',
      });
    if (route.operation === 'getRepository') return describeRepository(repository, grant);
    const permission = call.takeFault('forbidden') ? 'secrets=write' : missingPermission(route, grant);
    if (permission) return replies.forbidden(permission);
    const scope = store.scopeOf(repository, route);
    if (!scope) return replies.notFound();
    if (call.takeFault('rotate-key')) store.rotateKey(repository.fullName, route.environment);
    return answerScope(request, route, scope, call);
  }

  function answerOrganization(
    request: FakeRequest,
    route: Route,
    grant: Grant,
    call: CallContext,
  ): FakeReply {
    const scopes = store.organizationOf(route.organization ?? '');
    if (!scopes || call.takeFault('hidden')) return replies.notFound();
    if (route.operation === 'getOrganization')
      return { status: 200, body: { login: route.organization, id: 1 } };
    const permission = call.takeFault('forbidden')
      ? 'organization_secrets=write'
      : missingPermission(route, grant);
    if (permission) return replies.forbidden(permission);
    return answerScope(request, route, scopes[route.service], call);
  }

  const fake = await startFake(
    {
      type: 'repo-host',
      identify(request) {
        const { operation, secret } = findRoute(request);
        return { operation, target: secret?.toUpperCase() ?? null };
      },
      handle: (request, call) => replies.withCommonHeaders(answer(request, call), allowance),
      refuse: (refusal) => replies.withCommonHeaders(replies.writeRefusal(refusal), allowance),
      isWrite: (operation) => WRITES.has(operation),
      entries: store.entries,
      plant: store.plant,
      trust(given) {
        const names = ['app_id', 'installation_id', 'public_key'] as const;
        const { app_id: id, installation_id: installation, public_key: publicKey } = textsOf(given, names);
        const permissions = Object.fromEntries(APP_RIGHTS.map((right) => [right, 'write' as const]));
        apps.put({ id: Number(id), publicKey, installations: [{ id: Number(installation), permissions }] });
      },
      reset() {
        store.reset();
        tokens.reset();
        apps.reset();
        allowance.used = 0;
      },
    },
    options,
  );
  const { rotateKey, rename, remake, removeRepository, removeEnvironment, plantInOrganization } = store;
  return Object.assign(fake, {
    rotateKey,
    rename,
    remake,
    removeRepository,
    removeEnvironment,
    plantInOrganization,
    restrictToken: tokens.restrict,
    apps,
    discard: store.discard,
  });
}

function answerScope(request: FakeRequest, route: Route, scope: Scope, call: CallContext): FakeReply {
  const name = (route.secret ?? '').toUpperCase();
  switch (route.operation) {
    case 'getPublicKey':
      return readPublicKey(scope);
    case 'listSecrets':
      return listSecrets(scope, request);
    case 'getSecret':
      return readSecret(scope, name, call.takeFault('stale-read') !== undefined);
    case 'putSecret':
      return putSecret(scope, name, request);
    case 'deleteSecret':
      return deleteSecret(scope, name);
    default:
      return replies.notFound();
  }
}

// An app has rights, but no role in a repository. A token for an organization alone sees none.
function describeRepository(
  { id, fullName }: { id: number; fullName: string },
  { permissions: granted }: Grant,
): FakeReply {
  const isBlind = granted && Object.keys(granted).every((name) => name.startsWith('organization_'));
  if (isBlind) return replies.forbidden('metadata=read');
  const has = granted === undefined;
  const name = fullName.split('/')[1];
  const permissions = { admin: has, maintain: has, push: has, triage: has, pull: has };
  const body = { id, name, full_name: fullName, private: true, archived: false, permissions };
  return { status: 200, headers: { 'x-accepted-github-permissions': 'metadata=read' }, body };
}

function moved(request: FakeRequest, oldName: string, newName: string): FakeReply {
  const location = `http://${request.headers.host}${request.path.replace(oldName, newName)}`;
  const status = request.method === 'GET' ? 301 : 307;
  return { status, headers: { location }, body: { message: 'Moved Permanently', url: location } };
}

function inAnHour(): number {
  return Math.floor(Date.now() / 1000) + 3600;
}
