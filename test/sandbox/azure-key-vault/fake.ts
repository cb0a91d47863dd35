import type { Discarding } from '../contract.ts';
import {
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  type PlantedEntry,
  type Refusal,
  startFake,
  type StoredEntry,
} from '../fake-server.ts';
import { type Authority, startAuthority } from './authority.ts';
import { createCertificate } from './certificate.ts';
import { TENANT } from '../given-out.ts';
import { tokenTrustOf } from '../trust.ts';
import { operations } from './operations.ts';
import { checkApiVersion, checkName } from './rules.ts';
import { createStore, type Phase, type Secret, type Store } from './store.ts';
import { findTokenFault, VAULT_AUDIENCE } from './tokens.ts';
import { denied, toErrorReply, tokenUnknown, VendorError } from './vendor-error.ts';

/**
 * Faults beside the common ones: `denied` (403), and `deletion-lag`, `recovery-lag` and `purge-lag`, which last `delayMs`
 * after the answer. `url` is the vault; `details` tell how to sign in: `authority`, and `ca`, a file.
 * Over HTTP, send `accept-after` to the authority's own address.
 */
export type Cloud2KvFake = Fake &
  Discarding & {
    details: { authority: string; ca: string };
    authority: Authority;
    /** Moves the vault's clock forward, to end deletions and retention periods. */
    advanceClock: (ms: number) => void;
    /** Sets the vault's tenant, which its challenge then names. Until then it is `TENANT`, and the challenge has none. */
    setTenant: (tenant: string) => void;
    protectFromPurge: () => void;
    /** Secrets that are deleted, or being deleted or recovered (`phase`). `entries` contains none of them. */
    deleted: () => StoredEntry[];
  };

const METHODS: Record<string, string> = {
  'PUT secrets': 'SetSecret',
  'GET secrets': 'GetSecret',
  'PATCH secrets': 'UpdateSecret',
  'DELETE secrets': 'DeleteSecret',
  'GET deletedsecrets': 'GetDeletedSecret',
  'POST deletedsecrets': 'RecoverDeletedSecret',
  'DELETE deletedsecrets': 'PurgeDeletedSecret',
};

function identify({ method, path, headers }: FakeRequest): { operation: string; target: string | null } {
  const [collection = '', name] = path.split('/').slice(1);
  const target = name === undefined || name === '' ? null : name;
  // A call without a token only asks how to sign in.
  if (headers.authorization === undefined) return { operation: 'Challenge', target };
  return { operation: METHODS[`${method} ${collection}`] ?? 'unknown', target };
}

function toEntry(secret: Secret): StoredEntry {
  const version = secret.versions.at(-1);
  return {
    name: secret.name,
    value: version?.value ?? null,
    tags: version?.tags ?? {},
    versions: secret.versions.length,
    contentType: version?.contentType ?? null,
    phase: secret.phase,
  };
}

function plantSecret(store: Store, entry: PlantedEntry): void {
  const secret = store.find(entry.name) ?? store.add(entry.name);
  store.addVersion(secret, {
    value: entry.value ?? '',
    tags: entry.tags ?? {},
    enabled: entry['disabled'] !== true,
  });
  if (entry['deleted'] === true) store.begin(secret, 'deleting', 0);
}

/** One key vault and the sign-in service that it trusts. `plant` also takes `deleted: true` and `disabled: true`. */
export async function startCloud2KvFake(options: FakeOptions = {}): Promise<Cloud2KvFake> {
  const certificate = await createCertificate();
  const authority = await startAuthority(certificate);
  const store = createStore();
  let tenant = '';
  let isPurgeProtected = false;

  const all = (...phases: Phase[]) =>
    store
      .all()
      .filter(({ phase }) => phases.includes(phase))
      .map(toEntry);

  function challenge(error: VendorError): FakeReply {
    const reply = toErrorReply(error);
    const authenticate = `Bearer authorization="${authority.url}/${tenant}", resource="${VAULT_AUDIENCE}"`;
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': authenticate } };
  }

  function refuse({ kind, status, code, retryAfterSeconds }: Refusal): FakeReply {
    if (kind === 'revoked') return challenge(tokenUnknown());
    const detail = 'Vendor detail that nobody may be shown';
    const isThrottle = kind === 'throttle';
    const error = isThrottle
      ? new VendorError(status ?? 429, code ?? 'Throttled', detail)
      : new VendorError(status ?? 500, code ?? 'InternalServerError', detail, code);
    const reply = toErrorReply(error);
    if (retryAfterSeconds === undefined) return reply;
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfterSeconds) } };
  }

  const vault: Fake = await startFake(
    {
      type: 'cloud2-kv',
      identify,
      handle(request, call) {
        const fault = findTokenFault(request, authority.tokens, tenant === '' ? TENANT : tenant);
        if (fault) return challenge(fault);
        try {
          checkApiVersion(request);
          const operation = operations[call.operation];
          if (!operation) throw new VendorError(404, 'NotFound', 'There is no such resource.');
          const [, , name = '', version = ''] = request.path.split('/');
          checkName(name);
          if (call.takeFault('denied')) throw denied(operation.permission);
          return operation.run({
            store,
            call,
            request,
            name,
            version,
            vaultUrl: vault.url,
            isPurgeProtected,
          });
        } catch (error) {
          if (error instanceof VendorError) return toErrorReply(error);
          throw error;
        }
      },
      refuse,
      isWrite: (operation) => operation === 'SetSecret',
      entries: () => all('live'),
      plant: (entry) => plantSecret(store, entry),
      trust(given) {
        const { holder, ...trust } = tokenTrustOf(given);
        authority.addCredential({ ...trust, clientId: holder });
      },
      reset() {
        store.clear();
        authority.reset();
        tenant = '';
        isPurgeProtected = false;
      },
    },
    options,
  );
  return {
    ...vault,
    discard: store.drop,
    details: { authority: authority.url, ca: certificate.file },
    authority,
    acceptAfter: authority.acceptAfter,
    advanceClock: store.advance,
    setTenant: (id) => (tenant = id),
    protectFromPurge: () => (isPurgeProtected = true),
    deleted: () => all('deleting', 'deleted', 'recovering'),
    async close() {
      await Promise.all([vault.close(), authority.close(), certificate.remove()]);
    },
  };
}
