import type { Discarding } from '../contract.ts';
import { randomUUID } from 'node:crypto';
import {
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  type PlantedEntry,
  type Refusal,
  readJson,
  startFake,
  type StoredEntry,
} from '../fake-server.ts';
import { accessKeys } from '../given-out.ts';
import { operations } from './operations.ts';
import { replicasOf } from './replicas.ts';
import { verify } from './signature.ts';
import {
  addVersion,
  createStore,
  DAY_MS,
  type Secret,
  nameOf,
  type SecretContent,
  type Store,
  versionAt,
} from './store.ts';
import {
  actionOf,
  createTokenService,
  isTokenCall,
  roleOf,
  toXmlError,
  type TokenService,
} from './token-service.ts';
import { denied, sessionOver, toErrorReply, unrecognizedClient, VendorError } from './vendor-error.ts';

/**
 * Faults beside the common ones: `denied` (AccessDeniedException); `force-delete-lag` and `force-delete-hidden` keep the
 * name taken for `delayMs`, and the latter hides the entry at once; `no-version-limit`.
 */
export type Cloud1SmFake = Fake &
  Discarding & {
    /** Moves the store's clock forward, to age versions and to end recovery windows. */
    advanceClock: (ms: number) => void;
    /** Issues an access key that `given-out.ts` does not have, or another secret for one that it has. `reset` undoes it. */
    giveOut: (accessKeyId: string, secretAccessKey: string) => void;
    /** From now on the service does not know this access key id. */
    revoke: (accessKeyId: string) => void;
    /** Sets the service's clock this far ahead of this machine's. The service uses it to check the time of signatures. */
    setClock: (milliseconds: number) => void;
    /** From now on this access key id belongs to another account, with its entries in `{region}/{account}`. */
    assign: (accessKeyId: string, account: string) => void;
    /** Adds a role. The entries of its sessions are those of its account, in `{region}`. */
    addRole: TokenService['addRole'];
    /** The names of the sessions with all roles. */
    sessionNames: TokenService['sessionNames'];
    /** The identity tokens that were sent, and the secrets of the sessions. */
    signInSecrets: TokenService['secrets'];
  };

const SERVICE = 'secretsmanager.';
const DEFAULT_REGION = 'eu-west-1';
const WRITES = new Set(['CreateSecret', 'PutSecretValue']);

function operationOf(request: FakeRequest): string {
  if (isTokenCall(request)) return actionOf(request);
  const target = String(request.headers['x-amz-target'] ?? '');
  return target.startsWith(SERVICE) ? target.slice(SERVICE.length) : 'unknown';
}

function refuse(refusal: Refusal, request: FakeRequest): FakeReply {
  if (isTokenCall(request))
    return toXmlError(new VendorError(refusal.code ?? 'InternalFailure', 'Detail', refusal.status ?? 500));
  const requestId = randomUUID();
  if (refusal.kind === 'revoked') return toErrorReply(unrecognizedClient(), requestId);
  const isThrottle = refusal.kind === 'throttle';
  const code = refusal.code ?? (isThrottle ? 'ThrottlingException' : 'InternalServiceError');
  const status = refusal.status ?? (isThrottle || refusal.code ? 400 : 500);
  const error = new VendorError(code, `Vendor detail that nobody may be shown (${code})`, status);
  const reply = toErrorReply(error, requestId);
  // The vendor sends no retry-after with its 400, but a proxy before it may send one with a 429.
  if (status === 429 && refusal.retryAfterSeconds !== undefined)
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(refusal.retryAfterSeconds) } };
  return reply;
}

function toEntry(secret: Secret): StoredEntry {
  const current = versionAt(secret, 'AWSCURRENT');
  return {
    name: secret.name,
    arn: secret.arn,
    value: current?.content.text ?? null,
    tags: Object.fromEntries(secret.tags),
    versions: secret.versions.size,
    region: secret.region,
    deletedAt: secret.deletedAt,
    kmsKeyId: secret.kmsKeyId ?? null,
    replicas: replicasOf(secret),
  };
}

function contentToPlant(entry: PlantedEntry): SecretContent | null {
  if (typeof entry['binary'] === 'string') return { binary: entry['binary'] };
  return typeof entry.value === 'string' ? { text: entry.value } : null;
}

function plantSecret(store: Store, entry: PlantedEntry): void {
  const region = typeof entry['region'] === 'string' ? entry['region'] : DEFAULT_REGION;
  const secret = store.find(region, entry.name) ?? store.add(region, entry.name);
  secret.tags = new Map(Object.entries(entry.tags ?? {}));
  const content = contentToPlant(entry);
  if (content) addVersion(secret, { token: randomUUID(), content, now: store.now(), isLimited: false });
  if (entry['scheduledForDeletion'] !== true) return;
  secret.deletedAt = store.now();
  secret.purgeAt = store.now() + 30 * DAY_MS;
}

function nameIn(secretId: string): string {
  return secretId.startsWith('arn:') ? nameOf(secretId) : secretId;
}

/**
 * AWS Secrets Manager. All keys belong to one account, unless `assign` changes that. `plant` also takes `region`, `binary`
 * (base64) and `scheduledForDeletion: true`.
 */
export async function startCloud1SmFake(options: FakeOptions = {}): Promise<Cloud1SmFake> {
  const store = createStore();
  let keys = new Map(Object.entries(accessKeys));
  const revoked = new Set<string>();
  const accounts = new Map<string, string>();
  let clockOffsetMs = 0;
  const clock = (): number => Date.now() + clockOffsetMs;
  const tokens = createTokenService(clock);

  const fake = await startFake(
    {
      type: 'cloud1-sm',
      identify(request) {
        const input = readJson(request);
        const target = input['SecretId'] ?? input['Name'];
        return {
          operation: operationOf(request),
          target: typeof target === 'string' ? nameIn(target) : null,
        };
      },
      async handle(request, call) {
        const requestId = randomUUID();
        const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': requestId };
        const dated = (reply: FakeReply): FakeReply => ({
          ...reply,
          headers: { ...reply.headers, date: new Date(clock()).toUTCString() },
        });
        try {
          const isTaken = (id: string) => !revoked.has(id) && call.isAccepted(id);
          const secretOf = (id: string) =>
            isTaken(id) ? (keys.get(id) ?? tokens.sessionOf(id)?.secretAccessKey) : undefined;
          const sessionTokenOf = (id: string): string | undefined => {
            const session = tokens.sessionOf(id);
            if (session && session.expiresAt <= clock()) throw sessionOver();
            return session?.sessionToken;
          };
          const judge = { secretOf, sessionTokenOf, now: clock() };
          if (isTokenCall(request))
            return dated(await tokens.handle(request, () => verify(request, { ...judge, service: 'sts' })));
          const credential = await verify(request, judge);
          const operation = operations[call.operation];
          if (!operation) throw new VendorError('UnknownOperationException', 'Unknown operation');
          if (call.takeFault('denied')) throw denied(call.operation, call.target ?? '*');
          const account = accounts.get(credential.accessKeyId);
          const region = account === undefined ? credential.region : `${credential.region}/${account}`;
          const body = operation(readJson(request), { store, region, call });
          return dated({ status: 200, headers, body });
        } catch (error) {
          if (error instanceof VendorError) return dated(toErrorReply(error, requestId));
          throw error;
        }
      },
      refuse,
      isWrite: (operation) => WRITES.has(operation),
      entries: () =>
        store
          .all()
          .filter((secret) => secret.forced === 'no' && store.find(secret.region, secret.name))
          .map(toEntry),
      plant: (entry) => plantSecret(store, entry),
      trust: (given) => tokens.addRole(roleOf(given)),
      reset() {
        store.clear();
        keys = new Map(Object.entries(accessKeys));
        revoked.clear();
        accounts.clear();
        tokens.reset();
        clockOffsetMs = 0;
      },
    },
    options,
  );
  return {
    ...fake,
    discard(name) {
      const secret = store.find(DEFAULT_REGION, name);
      if (secret) store.drop(secret);
    },
    advanceClock: (milliseconds) => store.advance(milliseconds),
    giveOut: (accessKeyId, secretAccessKey) => void keys.set(accessKeyId, secretAccessKey),
    revoke: (accessKeyId) => void revoked.add(accessKeyId),
    setClock: (milliseconds) => void (clockOffsetMs = milliseconds),
    addRole: tokens.addRole,
    sessionNames: tokens.sessionNames,
    signInSecrets: tokens.secrets,
    assign: (accessKeyId, account) => void accounts.set(accessKeyId, account),
  };
}
