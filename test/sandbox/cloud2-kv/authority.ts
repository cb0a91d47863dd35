import { randomBytes, randomUUID } from 'node:crypto';
import { type Fake, type FakeReply, type FakeRequest, type Refusal, startFake } from '../fake-server.ts';
import type { Certificate } from './certificate.ts';

/** What the vault asks about a token it is shown. */
export type Tokens = {
  /** Good now, and given out by this tenant, where the vault belongs to one. */
  isValid: (token: string, tenant: string) => boolean;
  revokeAll: () => void;
};

/** Faults take a `code` (the number of an `AADSTS…` error) and a `status`. */
export type Authority = Fake & {
  tokens: Tokens;
  /** From now on the application is known, and its secret is another. */
  revoke: (clientId: string) => void;
  /** From now on tokens live so many seconds. */
  setTokenLife: (seconds: number) => void;
  /** Only after so many milliseconds every part of the service knows the secrets of applications. */
  acceptAfter: (milliseconds: number) => void;
};

const AUDIENCE = 'https://vault.azure.net';
const DAY_SECONDS = 24 * 3600;
const WRONG_SECRET = 7000215;
const UNKNOWN_TENANT = 90002;
const UNKNOWN_APPLICATION = 700016;

/** The tenants by what they are called; the application is known to all of them, and has several secrets, as it may. */
const TENANTS = new Map([
  ['11111111-2222-4333-8444-555555555555', '11111111-2222-4333-8444-555555555555'],
  ['acme.onmicrosoft.com', '11111111-2222-4333-8444-555555555555'],
  ['3f1c5e0a-6f0e-4a7b-9c55-5a4b1c2d3e4f', '3f1c5e0a-6f0e-4a7b-9c55-5a4b1c2d3e4f'],
]);
const APPLICATION = 'application';
const SECRETS = new Set(['a-client-secret', 'another-client-secret', 'client~secret']);
// Some of those that pass by themselves: `error` says so, whatever the status.
const TRANSIENT = new Set([50033, 50087, 90024, 90033]);

function spell(number: number, status: number): string {
  if (TRANSIENT.has(number)) return 'temporarily_unavailable';
  return status === 401 ? 'invalid_client' : 'invalid_request';
}

function toErrorReply(number: number, status: number, headers: Record<string, string> = {}): FakeReply {
  const body = {
    error: spell(number, status),
    error_description: `AADSTS${number}: Vendor detail that nobody may be shown. Trace ID: x`,
    error_codes: [number],
    trace_id: randomUUID(),
    correlation_id: randomUUID(),
  };
  return { status, headers, body };
}

function refuse({ kind, status, code, retryAfterSeconds }: Refusal): FakeReply {
  const wait: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (kind === 'revoked') return toErrorReply(WRONG_SECRET, 401);
  if (kind === 'throttle') return toErrorReply(90055, status ?? 429, wait);
  return toErrorReply(Number(code ?? 90033), status ?? (code === undefined ? 503 : 400), wait);
}

function discover(baseUrl: string, tenant: string): FakeReply {
  const base = `${baseUrl}/${tenant}`;
  const body = {
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
  };
  return { status: 200, body };
}

/** The sign-in service: client credentials for the vault's audience, over https.  */
export async function startAuthority(certificate: Certificate): Promise<Authority> {
  const valid = new Map<string, { until: number; tenant: string }>();
  const revoked = new Set<string>();
  let life = DAY_SECONDS;
  let acceptsFrom = 0;

  function grant(request: FakeRequest, tenantName: string): FakeReply {
    const form = new URLSearchParams(request.body.toString('utf8'));
    const clientId = form.get('client_id') ?? '';
    if (form.get('grant_type') !== 'client_credentials') return toErrorReply(70003, 400);
    if (form.get('scope')?.split(' ')[0] !== `${AUDIENCE}/.default`) return toErrorReply(500011, 400);
    if (clientId === '' || !form.get('client_secret')) return toErrorReply(7000216, 401);
    const tenant = TENANTS.get(tenantName.toLowerCase());
    if (tenant === undefined) return toErrorReply(UNKNOWN_TENANT, 400);
    if (clientId !== APPLICATION) return toErrorReply(UNKNOWN_APPLICATION, 400);
    const isKnown = SECRETS.has(form.get('client_secret') ?? '') && Date.now() >= acceptsFrom;
    if (revoked.has(clientId) || !isKnown) return toErrorReply(WRONG_SECRET, 401);
    const token = randomBytes(32).toString('base64url');
    valid.set(token, { until: Date.now() + life * 1000, tenant });
    const body = { token_type: 'Bearer', expires_in: life, ext_expires_in: life, access_token: token };
    return { status: 200, body };
  }

  const fake: Fake = await startFake(
    {
      type: 'cloud2-kv-authority',
      identify: ({ path }) => {
        if (path.endsWith('/.well-known/openid-configuration'))
          return { operation: 'Discover', target: null };
        return { operation: path.endsWith('/oauth2/v2.0/token') ? 'Token' : 'unknown', target: null };
      },
      handle(request, { operation }) {
        const tenant = request.path.split('/')[1] ?? '';
        if (operation === 'Discover' && request.method === 'GET') return discover(fake.url, tenant);
        if (operation === 'Token' && request.method === 'POST') return grant(request, tenant);
        return toErrorReply(900144, 404);
      },
      refuse,
      isWrite: () => false,
      entries: () => [],
      plant: () => undefined,
      // Tokens stay good: clients outlive a reset.
      reset() {
        revoked.clear();
        life = DAY_SECONDS;
        acceptsFrom = 0;
      },
    },
    { tls: certificate },
  );
  return {
    ...fake,
    tokens: {
      isValid(token, tenant) {
        const known = valid.get(token);
        return (
          known !== undefined &&
          known.until > Date.now() &&
          (tenant === '' || tenant.toLowerCase() === known.tenant)
        );
      },
      revokeAll: () => valid.clear(),
    },
    acceptAfter: (milliseconds) => (acceptsFrom = Date.now() + milliseconds),
    revoke: (clientId) => void revoked.add(clientId),
    setTokenLife: (seconds) => (life = seconds),
  };
}
