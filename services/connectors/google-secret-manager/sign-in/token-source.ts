import { Compute, GoogleAuth } from 'google-auth-library';
import type { ConnectorContext } from '../../../../libs/connector/contract.ts';
import type { StoreAnswer } from '../../../../libs/connector/http/failures.ts';
import { asObject, tryParseJson } from '../../../../libs/connector/http/json.ts';
import { keepAliveAgent } from '../../../../libs/egress/agent.ts';
import { createExchange } from '../../../../libs/egress/exchange.ts';
import { readAnswer } from '../failures.ts';
import { principalOf, providerOf, type Federation } from './federation.ts';
import { describeSignIn, ISSUER_UNREACHABLE, isTokenRefused, signInFailures } from './sign-in-failures.ts';

/** An access token, and when it expires, in milliseconds since the epoch. */
export type AccessToken = { access_token: string; expiry_date: number };

/**
 * Gets access tokens; undo: `close`. `holder`: whom they stand for, as the beginning of a sentence. Throws ConnectorErrors
 * only, except for bugs of our own.
 */
export type TokenSource = { read: () => Promise<AccessToken>; holder: string; close: () => void };

export const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

const MOST_CONNECTIONS = 8;
const CONNECTING = "Error connecting to the given credential's issuer";
const PREFIX = 'urn:ietf:params:oauth:';

const NO_IDENTITY =
  'The worker has no identity of its own: give its machine a service account, or set GOOGLE_APPLICATION_CREDENTIALS for the connector.';

type Sent = { headers: Record<string, string>; body: string };

/**
 * Access tokens for identity tokens. Both calls are our own: the SDK would make the first past our connections, and so past
 * their limits.
 */
export function federatedTokens(settings: Federation, context: ConnectorContext): TokenSource {
  const { identity } = context;
  if (!identity) throw new Error('identity tokens need an identity');
  const tokenService = openService(
    context.environment('GOOGLE_STS_URL') ?? 'https://sts.googleapis.com',
    context,
  );
  const accounts = openService(
    context.environment('GOOGLE_IAMCREDENTIALS_URL') ?? 'https://iamcredentials.googleapis.com',
    context,
  );

  const read = async (): Promise<AccessToken> => {
    const token = await identity.token();
    let answer = await tokenService.post('/v1/token', exchangeFor(settings, token));
    // The key of a token that was given before may be gone. A new one decides.
    if (answer.failure && isTokenRefused(answer.failure)) {
      const other = await identity.token({ isAnew: true });
      answer = await tokenService.post('/v1/token', exchangeFor(settings, other));
    }
    const { body, failure } = answer;
    if (failure) throw describeSignIn(failure, identity);
    const { access_token: federated, expires_in: seconds } = body;
    if (typeof federated !== 'string') throw signInFailures.fail('unexpected_answer');
    if (settings.direct_access)
      return { access_token: federated, expiry_date: Date.now() + Number(seconds ?? 0) * 1000 };
    return impersonate(federated);
  };

  const impersonate = async (federated: string): Promise<AccessToken> => {
    const account = encodeURIComponent(settings.service_account_email ?? '');
    const path = `/v1/projects/-/serviceAccounts/${account}:generateAccessToken`;
    const { body, failure } = await accounts.post(path, {
      headers: { authorization: `Bearer ${federated}`, 'content-type': 'application/json' },
      body: JSON.stringify({ scope: [SCOPE], lifetime: '3600s' }),
    });
    if (failure) throw describeSignIn(failure, identity, { step: 'role' });
    const { accessToken: token, expireTime: end } = body;
    if (typeof token !== 'string' || typeof end !== 'string') throw signInFailures.fail('unexpected_answer');
    return { access_token: token, expiry_date: Date.parse(end) };
  };

  return {
    read,
    holder: settings.direct_access
      ? principalOf(settings, identity.subject)
      : `The service account ${settings.service_account_email}`,
    close: () => {
      tokenService.close();
      accounts.close();
    },
  };
}

/**
 * Access tokens of the worker itself: of the file that GOOGLE_APPLICATION_CREDENTIALS names, or else of this machine's
 * metadata server. Those calls are the SDK's own.
 */
export function ownTokens({ environment }: Pick<ConnectorContext, 'environment'>): TokenSource {
  // The SDK reads the variable itself.
  const hasFile = environment('GOOGLE_APPLICATION_CREDENTIALS') !== undefined;
  const auth = hasFile ? new GoogleAuth({ scopes: [SCOPE] }) : undefined;
  const read = async (): Promise<AccessToken> => {
    const client = auth ? await auth.getClient() : new Compute({ scopes: [SCOPE] });
    const { token } = await client.getAccessToken();
    if (!token) throw new Error('the SDK gave no token');
    return { access_token: token, expiry_date: client.credentials.expiry_date ?? 0 };
  };
  return {
    read: () =>
      read().catch(() => {
        throw signInFailures.fail('credentials_missing', { message: NO_IDENTITY });
      }),
    holder: 'The service account of the worker',
    close: () => undefined,
  };
}

type ServiceAnswer = { body: Record<string, unknown>; failure?: StoreAnswer };

function openService(baseUrl: string, context: ConnectorContext) {
  const agent = keepAliveAgent(baseUrl, context, { maxSockets: MOST_CONNECTIONS });
  const exchange = createExchange({ baseUrl, agent, timeoutMs: context.callTimeoutMs });
  return {
    post: async (path: string, { headers, body }: Sent): Promise<ServiceAnswer> => {
      const sent = { method: 'POST', headers: { ...headers, 'user-agent': 'sealift' }, body, signal: null };
      const received = await exchange(`${baseUrl}${path}`, sent).catch((error: unknown) => {
        throw signInFailures.describeTransport(error) ?? error;
      });
      const text = received.body.toString();
      if (received.status === 200) return { body: asObject(tryParseJson(text)) };
      return { body: {}, failure: toFailure(readAnswer(received.status, received.headers, text), text) };
    },
    close: () => void agent.destroy(),
  };
}

// The token service has a format of its own: its `error` is a word.
function toFailure(answer: StoreAnswer, text: string): StoreAnswer {
  const { error: word, error_description: words } = asObject(tryParseJson(text));
  if (typeof word !== 'string') return answer;
  const isUnreachable = typeof words === 'string' && words.startsWith(CONNECTING);
  return { ...answer, codes: isUnreachable ? [ISSUER_UNREACHABLE, word] : [word] };
}

function exchangeFor(settings: Federation, token: string): Sent {
  const form = new URLSearchParams({
    grant_type: `${PREFIX}grant-type:token-exchange`,
    audience: providerOf(settings) ?? '',
    scope: SCOPE,
    requested_token_type: `${PREFIX}token-type:access_token`,
    subject_token: token,
    subject_token_type: `${PREFIX}token-type:jwt`,
  });
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() };
}
