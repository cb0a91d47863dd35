import { randomBytes } from 'node:crypto';
import type { FakeReply, FakeRequest } from '../fake-server.ts';
import { verifyIdentityToken } from '../identity-token.ts';
import type { Account } from './service-accounts.ts';
import { readJson } from '../transport.ts';

/** A provider of a workload identity pool: `name` as the token service names it. */
export type Provider = { name: string; issuer: string; audience: string };

type Principal = { subject: string };
type Token = { expiresAt: number } & (Account | Principal);

const PREFIX = 'urn:ietf:params:oauth:';
// A principal without rights is known all the same: Google says what it lacks.
const NO_PROJECT = '';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** The token service, and the tokens of service accounts for principals of pools. */
export function createFederation() {
  const providers = new Map<string, Provider>();
  const users = new Map<string, Set<string>>();
  const direct = new Map<string, string>();
  const tokens = new Map<string, Token>();
  let lifeMs = 3_600_000;

  const give = (token: Account | Principal): string => {
    const text = `ya29.${randomBytes(40).toString('base64url')}`;
    tokens.set(text, { ...token, expiresAt: Date.now() + lifeMs });
    return text;
  };
  const read = (authorization: string | undefined): Token | undefined => {
    const token = tokens.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '');
    return token && token.expiresAt > Date.now() ? token : undefined;
  };

  async function exchange(request: FakeRequest): Promise<FakeReply> {
    const form = new URLSearchParams(request.body.toString());
    const isWhole =
      form.get('grant_type') === `${PREFIX}grant-type:token-exchange` &&
      form.get('requested_token_type') === `${PREFIX}token-type:access_token` &&
      form.get('subject_token_type') === `${PREFIX}token-type:jwt` &&
      form.get('scope') === SCOPE;
    if (!isWhole) return refuse('invalid_request');
    const provider = providers.get(form.get('audience') ?? '');
    if (!provider) return refuse('invalid_target');
    const verified = await verifyIdentityToken(form.get('subject_token') ?? '', [provider.issuer]);
    if ('fault' in verified && verified.fault === 'unreachable')
      return refuse('invalid_grant', "Error connecting to the given credential's issuer.");
    if ('fault' in verified && verified.claim !== undefined)
      return refuse('invalid_grant', `The claim ${verified.claim} of the token is missing or wrong.`);
    if ('fault' in verified || verified.claims.aud !== provider.audience) return refuse('invalid_grant');
    const access_token = give({ subject: String(verified.claims.sub) });
    const body = { access_token, expires_in: lifeMs / 1000, token_type: 'Bearer' };
    return { status: 200, body };
  }

  function impersonate(request: FakeRequest): FakeReply {
    const email = decodeURIComponent(/serviceAccounts\/([^/]+):/.exec(request.path)?.[1] ?? '');
    const principal = read(request.headers.authorization);
    if (!principal) return googleError(401, 'UNAUTHENTICATED');
    const { scope, lifetime } = readJson(request);
    if (lifetime !== '3600s' || !Array.isArray(scope) || !scope.includes(SCOPE))
      return googleError(400, 'INVALID_ARGUMENT');
    const isUser = 'subject' in principal && users.get(email)?.has(principal.subject);
    if (!isUser) return googleError(403, 'PERMISSION_DENIED');
    const accessToken = give({ email, project: /@([^.]+)\./.exec(email)?.[1] ?? '' });
    return { status: 200, body: { accessToken, expireTime: new Date(Date.now() + lifeMs).toISOString() } };
  }

  return {
    /** A provider has one issuer: the one that was set last. */
    setProvider: (provider: Provider) => void providers.set(provider.name, provider),
    /** Lets the principal of a subject use a service account. */
    allow: (email: string, subject: string) =>
      void users.set(email, (users.get(email) ?? new Set()).add(subject)),
    /** Gives the principal of a subject all rights on a project. */
    allowDirectly: (subject: string, project: string) => void direct.set(subject, project),
    /** How long new tokens are valid. */
    setTokenLife: (milliseconds: number) => void (lifeMs = milliseconds),
    /** A token of a service account, such as the metadata server gives. */
    giveTo: (account: Account) => give(account),
    /** Answers the calls of both services; undefined for other calls. */
    answer: (operation: string, request: FakeRequest): Promise<FakeReply> | FakeReply | undefined => {
      if (operation === 'ExchangeToken') return exchange(request);
      return operation === 'GenerateAccessToken' ? impersonate(request) : undefined;
    },
    /** The account that a token of these services stands for. */
    accountOf: (authorization: string | undefined): Account | undefined => {
      const token = read(authorization);
      if (!token) return undefined;
      if ('email' in token) return token;
      return { email: token.subject, project: direct.get(token.subject) ?? NO_PROJECT };
    },
    reset: () => {
      providers.clear();
      users.clear();
      direct.clear();
      lifeMs = 3_600_000;
    },
  };
}

function refuse(error: string, words = 'Vendor detail that nobody may be shown'): FakeReply {
  const body = { error, error_description: words };
  return { status: error === 'unauthorized_client' ? 401 : 400, body };
}

function googleError(code: number, status: string): FakeReply {
  return {
    status: code,
    body: { error: { code, status, message: 'Vendor detail that nobody may be shown' } },
  };
}
