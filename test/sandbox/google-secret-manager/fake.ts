import type { Discarding } from '../contract.ts';
import { randomUUID } from 'node:crypto';
import {
  type CallContext,
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  type PlantedEntry,
  type Refusal,
  startFake,
  type StoredEntry,
} from '../fake-server.ts';
import { createFederation } from './federation.ts';
import { textsOf, tokenTrustOf } from '../trust.ts';
import { operations } from './operations.ts';
import { routeOf, type Route } from './paths.ts';
import { createServiceAccounts, DEFAULT_PROJECT } from './service-accounts.ts';
import { appendVersion, createStore, newEtag, projectNumber, type Secret, type Store } from './store.ts';
import * as refusals from './vendor-error.ts';

/**
 * Faults beside the common ones: `denied` (the call's permission is missing) and `changed-meanwhile` (somebody else adds
 * the label `stranger` just before an update). A `throttle` with the code `secret` is the limit of one secret.
 */
export type Cloud3SmFake = Fake &
  Discarding & {
    /** Issues a service account key and returns its JSON. Its account may do everything in its project. */
    createKey: (project?: string) => string;
    /** Workload identity pools, and who may use which service account. */
    federation: ReturnType<typeof createFederation>;
    /** From now on the service refuses this key. */
    revoke: (key: string) => void;
  };

const SIGN_IN = new Set(['CreateServiceAccountKey', 'ExchangeToken', 'GenerateAccessToken']);
const READS = /^(?:Get|List|Access|Test)/;

function refuse({ kind, code, status, retryAfterSeconds }: Refusal, { path }: FakeRequest): FakeReply {
  // The token service has a format of its own.
  if (path === '/v1/token')
    return {
      status: status ?? 400,
      body: { error: code ?? 'server_error', error_description: 'Vendor detail' },
    };
  const wait = retryAfterSeconds === undefined ? [] : [refusals.retryInfo(retryAfterSeconds)];
  const error =
    kind === 'revoked'
      ? refusals.unauthenticated('The key was deleted or disabled.')
      : kind === 'throttle'
        ? refusals.namedError(code === 'secret' ? 'RESOURCE_EXHAUSTED' : 'RATE_LIMIT_EXCEEDED', wait)
        : refusals.namedError(code ?? 'INTERNAL', wait);
  return refusals.toErrorReply(error, randomUUID(), status);
}

function toEntry(secret: Secret): StoredEntry {
  const newest = secret.versions.at(-1);
  return {
    name: secret.name,
    value: newest?.state === 'ENABLED' ? newest.data.toString('utf8') : null,
    tags: { ...secret.labels },
    versions: secret.versions.length,
    states: secret.versions.map(({ state }) => state),
    project: secret.project,
    replication: secret.replication,
  };
}

function plantSecret(store: Store, entry: PlantedEntry): void {
  const project = typeof entry['project'] === 'string' ? entry['project'] : DEFAULT_PROJECT;
  const secret = store.find(project, entry.name) ?? store.add(project, entry.name);
  secret.labels = entry.tags ?? {};
  const count = typeof entry['versions'] === 'number' ? entry['versions'] : 1;
  const binary = typeof entry['binary'] === 'string' ? Buffer.from(entry['binary'], 'base64') : undefined;
  const data = binary ?? (typeof entry.value === 'string' ? Buffer.from(entry.value) : undefined);
  if (data) for (let number = 0; number < count; number += 1) appendVersion(secret, data);
  const newest = secret.versions.at(-1);
  if (newest && entry['state'] === 'DISABLED') newest.state = 'DISABLED';
}

/**
 * Google Secret Manager over REST. `plant` also takes `project`, `binary` (base64), `versions` (the number of versions with
 * this value) and `state: 'DISABLED'`. Other processes get a key by
 * POST /v1/projects/{project}/serviceAccounts/{email}/keys.
 */
export async function startCloud3SmFake(options: FakeOptions = {}): Promise<Cloud3SmFake> {
  const store = createStore();
  const accounts = createServiceAccounts();
  const federation = createFederation();

  function answer(request: FakeRequest, route: Route, call: CallContext): object {
    if (route.operation === 'CreateServiceAccountKey')
      return { privateKeyData: Buffer.from(accounts.createKey(route.project)).toString('base64') };
    const { authorization } = request.headers;
    const account =
      federation.accountOf(authorization) ?? accounts.authenticate(authorization, call.isAccepted);
    const operation = operations[route.operation];
    if (!operation) throw new refusals.VendorError('UNIMPLEMENTED', 'Method not found.');
    const isOwn = route.project === account.project || route.project === projectNumber(account.project);
    const secret = route.secret === null ? '' : `/secrets/${route.secret}`;
    if (!isOwn || call.takeFault('denied'))
      throw refusals.denied(operation.permission, `projects/${route.project}${secret}`);
    if (route.operation === 'UpdateSecret' && call.takeFault('changed-meanwhile')) {
      const changed = store.find(route.project, route.secret ?? '');
      if (changed)
        Object.assign(changed, { labels: { ...changed.labels, stranger: 'new' }, etag: newEtag() });
    }
    return operation.run({ store, route: { ...route, project: account.project }, request, call });
  }

  const fake = await startFake(
    {
      type: 'cloud3-sm',
      identify(request) {
        const { operation, secret } = routeOf(request);
        return { operation, target: operation === 'CreateSecret' ? request.query.get('secretId') : secret };
      },
      async handle(request, call) {
        try {
          const signIn = await federation.answer(call.operation, request);
          if (signIn) return signIn;
          return { status: 200, body: answer(request, routeOf(request), call) };
        } catch (error) {
          if (error instanceof refusals.VendorError) return refusals.toErrorReply(error, randomUUID());
          throw error;
        }
      },
      refuse,
      isWrite: (operation) => !READS.test(operation) && !SIGN_IN.has(operation),
      entries: () => store.all().map(toEntry),
      plant: (entry) => plantSecret(store, entry),
      trust({ provider, ...given }) {
        const { holder, issuer, subject, audience } = tokenTrustOf(given);
        // Without an audience of its own, a provider takes its name.
        const named = provider === undefined ? audience : textsOf({ provider }, ['provider']).provider;
        federation.setProvider({ name: named.replace(/^https:/, ''), issuer, audience });
        // Rights in the project itself, without a service account.
        if (holder.startsWith('principal://')) federation.allowDirectly(subject, DEFAULT_PROJECT);
        else federation.allow(holder, subject);
      },
      reset() {
        store.clear();
        accounts.forgive();
        federation.reset();
      },
    },
    options,
  );
  return {
    ...fake,
    discard(name) {
      const secret = store.find(DEFAULT_PROJECT, name);
      if (secret) store.drop(secret);
    },
    createKey: (project) => accounts.createKey(project),
    federation,
    revoke: accounts.revoke,
  };
}
