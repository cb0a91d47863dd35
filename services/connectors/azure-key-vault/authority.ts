import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { ClientSecretCredentialOptions, TokenCredential } from '@azure/identity';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import type { DestinationIdentity } from '../../../libs/connector/identity/destination-identity.ts';
import { beforeSending, ConnectorError } from '../../../libs/connector/errors.ts';
import { type EgressAgent, keepAliveAgent } from '../../../libs/egress/agent.ts';
import { isAllowed } from '../../../libs/egress/guard.ts';
import { trustFailure } from '../../../libs/connector/identity/identity.ts';
import { authorityFailures, TOKEN_REFUSED, TRUST } from './authority-failures.ts';
import type { Cloud } from './clouds.ts';
import { credentialOf, type Application } from './credential-of.ts';
import { createTransport, type Answer } from './transport.ts';

const MOST_CONNECTIONS = 8;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// The SDK renews a token in the background in its last two minutes, and a failure of that would end the process. So we
// never report a token as that short; `client.ts` replaces the client before.
const UNTOUCHED_MS = 10 * 60_000;

const NO_IDENTITY =
  'The worker has no identity of its own with this client_id: give its machine or pod one, or set client_secret or identity_token_audience.';

const OWN_REFUSED =
  "Microsoft Entra ID refused the worker's own token (AZURE_FEDERATED_TOKEN_FILE): check client_id, and give that application a federated credential with the issuer, subject and audience of this token.";

/** Creates credentials for a destination's application; each credential has its own token cache. */
export type Authority = { createCredential: () => Credential; close: () => void };

/** `expiresAt`: when the latest token expires (milliseconds since the epoch), 0 before the first token. */
export type Credential = TokenCredential & { expiresAt: () => number };

/**
 * Opens the operator's authority (`SEALIFT_AZURE_AUTHORITY_HOST`), or else the cloud's. Throws a ConnectorError if it is
 * no https URL.
 */
export function openAuthority(settings: Application, cloud: Cloud, context: ConnectorContext): Authority {
  const address = readAddress(cloud, context);
  const agent = keepAliveAgent(address.origin, context, {
    maxSockets: MOST_CONNECTIONS,
    ...readAuthorities(context),
  });
  return {
    createCredential: () => createCredential(settings, { address, agent }, context),
    close: () => void agent.destroy(),
  };
}

/** `identity`: that of a destination which signs in with our tokens; `isOwn`: the worker signs in as itself. */
type Signer = { identity: DestinationIdentity | undefined; isOwn: boolean };

type Way = { address: URL; agent: EgressAgent };

/** What the authority answered last. The SDK hides it in errors that all look the same. */
type Last = { failure: ConnectorError | undefined; isTokenRefused: boolean };

function createCredential(settings: Application, way: Way, context: ConnectorContext): Credential {
  const last: Last = { failure: undefined, isTokenRefused: false };
  const identity = isFederated(settings) ? context.identity : undefined;
  const isOwn = settings.client_secret === undefined && settings.identity_token_audience === undefined;
  let expiresAt = 0;
  // The SDK asks for it twice for each sign-in.
  let identityToken = '';
  const inner = credentialOf(settings, context, {
    readToken: () => identityToken,
    options: optionsOf(way, context, last, { identity, isOwn }),
  });

  const signIn: TokenCredential['getToken'] = async (scopes, options) => {
    if (!identity) return inner.getToken(scopes, options);
    identityToken = await identity.token();
    try {
      return await inner.getToken(scopes, options);
    } catch (error) {
      // The authority may have refused a token that was given before, because its key is gone. A new one decides.
      if (!last.isTokenRefused) throw error;
      last.isTokenRefused = false;
    }
    identityToken = await identity.token({ isAnew: true });
    return inner.getToken(scopes, options);
  };

  const getToken: TokenCredential['getToken'] = async (scopes, { tenantId, ...options } = {}) => {
    requireTenant(settings, tenantId);
    last.failure = undefined;
    try {
      const given = await signIn(scopes, options);
      if (!given) throw new Error('the SDK gave no token');
      expiresAt = given.expiresOnTimestamp;
      return {
        token: given.token,
        expiresOnTimestamp: Math.max(expiresAt, Date.now() + UNTOUCHED_MS),
      };
    } catch (error) {
      throw last.failure ?? describeOwnIdentity(error) ?? error;
    }
  };

  return {
    expiresAt: () => expiresAt,
    // The vault has seen the call at most without its body: that is how the SDK asks whose token the vault wants.
    getToken: (scopes, options) => beforeSending(() => getToken(scopes, options)),
  };
}

function isFederated({ client_secret: secret, identity_token_audience: audience }: Application): boolean {
  return secret === undefined && audience !== undefined;
}

function optionsOf(
  { address, agent }: Way,
  context: ConnectorContext,
  last: Last,
  signer: Signer,
): ClientSecretCredentialOptions {
  const transport = createTransport({
    failures: authorityFailures,
    baseUrl: address.origin,
    agent,
    timeoutMs: context.callTimeoutMs,
    isPlausible: () => true,
    note: (answer) => {
      last.isTokenRefused = numbersIn(answer).some((number) => TOKEN_REFUSED.has(number));
      last.failure = describeRefusal(answer, signer);
    },
  });
  return {
    // The SDK makes no retries (the engine decides on them), and follows no redirect.
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    authorityHost: address.origin,
    // The vendor's directory knows only public authorities.
    disableInstanceDiscovery: isAllowed(address.hostname, context),
    httpClient: {
      sendRequest: (request) =>
        transport.sendRequest(request).catch((error: unknown) => {
          if (error instanceof ConnectorError) last.failure = error;
          throw error;
        }),
    },
  };
}

// The worker's own identity is asked for on this machine, past our connections.
function describeOwnIdentity(error: unknown): ConnectorError | undefined {
  const isAbsent = error instanceof Error && error.name === 'CredentialUnavailableError';
  return isAbsent ? authorityFailures.fail('credentials_missing', { message: NO_IDENTITY }) : undefined;
}

// Returns undefined for a success.
function describeRefusal(answer: Answer, { identity, isOwn }: Signer): ConnectorError | undefined {
  const { status, headers, body } = answer;
  if (status >= 200 && status < 300) return undefined;
  const numbers = numbersIn(answer);
  const failure = authorityFailures.describeAnswer({
    status,
    header: (name) => headers.get(name),
    // Status 429 always means a rate limit, whatever codes come with it.
    codes: status === 429 ? [] : [...numbers, body['error']].map(String),
    said: { requestId: body['trace_id'] ?? headers.get('x-ms-request-id') },
  });
  if (isOwn && numbers.some((number) => TRUST.has(number) || TOKEN_REFUSED.has(number)))
    return authorityFailures.fail('credentials_refused', { message: OWN_REFUSED });
  if (!identity || !numbers.some((number) => TRUST.has(number))) return failure;
  const isKeyUnknown = numbers.some((number) => TOKEN_REFUSED.has(number));
  return trustFailure(authorityFailures, identity, {
    message: failure.message,
    mayLack: isKeyUnknown ? ['trust', 'key'] : ['trust'],
  });
}

function numbersIn({ body }: Answer): number[] {
  return Array.isArray(body['error_codes']) ? body['error_codes'].map(Number) : [];
}

// The tenant that a vault names is compared, never followed. A domain cannot be compared with an id.
function requireTenant({ tenant_id: own }: Application, tenant: string | undefined): void {
  if (tenant === undefined || !GUID.test(tenant) || !GUID.test(own)) return;
  if (tenant.toLowerCase() === own.toLowerCase()) return;
  const message = 'The vault belongs to another tenant: set tenant_id to that of the vault.';
  throw authorityFailures.fail('credentials_refused', { message });
}

function readAddress(cloud: Cloud, { environment }: ConnectorContext): URL {
  const text = environment('SEALIFT_AZURE_AUTHORITY_HOST') ?? cloud.authority;
  const address = text.includes('://') ? text : `https://${text}`;
  if (URL.canParse(address) && new URL(address).protocol === 'https:') return new URL(address);
  const message =
    'SEALIFT_AZURE_AUTHORITY_HOST of the connector is not an https URL: the operator must correct it.';
  throw authorityFailures.fail('configuration_invalid', { message });
}

// Like Node, we ignore a file that cannot be read. Node itself reads the variable only at its start.
function readAuthorities({ environment }: ConnectorContext): { ca: string[] } | undefined {
  const file = environment('NODE_EXTRA_CA_CERTS');
  if (file === undefined) return undefined;
  try {
    return { ca: [...rootCertificates, readFileSync(file, 'utf8')] };
  } catch {
    return undefined;
  }
}
