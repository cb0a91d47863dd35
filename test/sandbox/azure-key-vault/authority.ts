import { randomUUID } from 'node:crypto';
import {
  type CallContext,
  type Fake,
  type FakeReply,
  type FakeRequest,
  type Refusal,
  startFake,
} from '../fake-server.ts';
import { tenants, type Tenant } from '../given-out.ts';
import { verifyIdentityToken } from '../identity-token.ts';
import type { Certificate } from './certificate.ts';
import { createTokens, type Tokens, VAULT_AUDIENCE } from './tokens.ts';

/** Tokens that an application is trusted by. */
type FederatedCredential = { clientId: string; issuer: string; subject: string; audience: string };

/** Faults have a `code` (the number of an `AADSTS…` error) and a `status`. */
export type Authority = Fake & {
  tokens: Tokens;
  /** From now on the application has another secret. */
  revoke: (clientId: string) => void;
  /** Adds a federated credential to an application of the first tenant. */
  addCredential: (credential: FederatedCredential) => void;
  /** Sets the lifetime of new tokens, in seconds. */
  setTokenLife: (seconds: number) => void;
};

// The resources that applications may request tokens for. A vault accepts only tokens for vaults.
const RESOURCES = new Set([VAULT_AUDIENCE, 'https://management.azure.com', 'https://graph.microsoft.com']);
const DAY_SECONDS = 24 * 3600;
const WRONG_SECRET = 7000215;
const TOKEN_FAULTS = {
  unreadable: 50027,
  issuer: 700211,
  unreachable: 50166,
  key: 700027,
  expired: 700024,
  claim: 700212,
};
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
// Some of the transient errors: `error` marks them as transient, whatever the status is.
const TRANSIENT = new Set([50033, 50087, 90024, 90033]);
const WORDS: Record<number, string> = {
  70003: 'unsupported_grant_type',
  500011: 'invalid_resource',
  700016: 'unauthorized_client',
};

function spell(number: number, status: number): string {
  if (TRANSIENT.has(number)) return 'temporarily_unavailable';
  return WORDS[number] ?? (status === 401 ? 'invalid_client' : 'invalid_request');
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

function findTenant(name: string): Tenant | undefined {
  const wanted = name.toLowerCase();
  return tenants.find(({ id, domain }) => id === wanted || domain === wanted);
}

function discover(baseUrl: string, tenant: string): FakeReply {
  if (!findTenant(tenant)) return toErrorReply(90002, 400);
  const base = `${baseUrl}/${tenant}`;
  const body = {
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
  };
  return { status: 200, body };
}

/** The sign-in service: client credentials over https, for the known applications and secrets. */
export async function startAuthority(certificate: Certificate): Promise<Authority> {
  const tokens = createTokens();
  const revoked = new Set<string>();
  const credentials: FederatedCredential[] = [];
  let life = DAY_SECONDS;

  // The number of the refusal; undefined for a token that a federated credential of the application trusts.
  async function tokenFault(token: string, clientId: string): Promise<number | undefined> {
    const own = credentials.filter((credential) => credential.clientId === clientId);
    if (own.length === 0) return 70025;
    const verified = await verifyIdentityToken(
      token,
      own.map(({ issuer }) => issuer),
    );
    if ('fault' in verified) return TOKEN_FAULTS[verified.fault];
    const { iss, sub, aud } = verified.claims;
    const ofIssuer = own.filter(({ issuer }) => issuer === iss);
    if (!ofIssuer.some(({ subject }) => subject === sub)) return 700213;
    return ofIssuer.some(({ subject, audience }) => subject === sub && audience === aud) ? undefined : 700212;
  }

  async function grant(request: FakeRequest, tenantName: string, call: CallContext): Promise<FakeReply> {
    const tenant = findTenant(tenantName);
    if (!tenant) return toErrorReply(90002, 400);
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (form.get('grant_type') !== 'client_credentials') return toErrorReply(70003, 400);
    const audience = /^(\S+)\/\.default(?: |$)/.exec(form.get('scope') ?? '')?.[1] ?? '';
    if (!RESOURCES.has(audience)) return toErrorReply(500011, 400);
    const clientId = form.get('client_id') ?? '';
    const secrets = Object.hasOwn(tenant.applications, clientId) ? tenant.applications[clientId] : undefined;
    if (!secrets) return toErrorReply(700016, 400);
    const assertion = form.get('client_assertion');
    if (assertion) {
      if (form.get('client_assertion_type') !== ASSERTION_TYPE) return toErrorReply(50027, 400);
      const fault = await tokenFault(assertion, clientId);
      if (fault !== undefined) return toErrorReply(fault, 401);
    } else {
      const secret = form.get('client_secret');
      if (!secret) return toErrorReply(7000216, 401);
      const isTaken = secrets.includes(secret) && !revoked.has(clientId) && call.isAccepted(secret);
      if (!isTaken) return toErrorReply(WRONG_SECRET, 401);
    }
    const expiresAt = Date.now() + life * 1000;
    const token = tokens.give({ audience, tenant: tenant.id, expiresAt });
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
      handle(request, call) {
        const { operation } = call;
        const tenant = request.path.split('/')[1] ?? '';
        if (operation === 'Discover' && request.method === 'GET') return discover(fake.url, tenant);
        if (operation === 'Token' && request.method === 'POST') return grant(request, tenant, call);
        return toErrorReply(900144, 404);
      },
      refuse,
      isWrite: () => false,
      entries: () => [],
      plant: () => undefined,
      // Keeps issued tokens valid, because clients outlive a reset.
      reset() {
        revoked.clear();
        credentials.length = 0;
        life = DAY_SECONDS;
      },
    },
    { tls: certificate },
  );
  return {
    ...fake,
    tokens,
    addCredential: (credential) => void credentials.push(credential),
    revoke: (clientId) => void revoked.add(clientId),
    setTokenLife: (seconds) => (life = seconds),
  };
}
