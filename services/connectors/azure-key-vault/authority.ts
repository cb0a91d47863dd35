import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ClientSecretCredential, type TokenCredential } from '@azure/identity';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { type EgressAgent, keepAliveAgent } from '../../../libs/egress/agent.ts';
import { isAllowed } from '../../../libs/egress/guard.ts';
import { authorityFailures } from './authority-failures.ts';
import type { Cloud } from './clouds.ts';
import { createTransport, type Answer } from './transport.ts';

const MOST_CONNECTIONS = 8;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// The SDK renews a token in the background in its last two minutes, and a failure of that would end the process. So we
// never report a token as that short; `client.ts` replaces the client before.
const UNTOUCHED_MS = 10 * 60_000;

/** The settings that say who signs in. */
type Application = { tenant_id: string; client_id: string; client_secret: string };

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

function createCredential(
  settings: Application,
  { address, agent }: { address: URL; agent: EgressAgent },
  context: ConnectorContext,
): Credential {
  // The SDK hides the authority's answer in errors that all look the same, so we keep the answer as it arrives.
  let failure: ConnectorError | undefined;
  let expiresAt = 0;
  const transport = createTransport({
    failures: authorityFailures,
    baseUrl: address.origin,
    agent,
    timeoutMs: context.callTimeoutMs,
    isPlausible: () => true,
    note: (answer) => (failure = describeRefusal(answer)),
  });
  const inner = new ClientSecretCredential(settings.tenant_id, settings.client_id, settings.client_secret, {
    // The SDK makes no retries (the engine decides on them), and follows no redirect.
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    authorityHost: address.origin,
    // The vendor's directory knows only public authorities.
    disableInstanceDiscovery: isAllowed(address.hostname, context),
    httpClient: {
      sendRequest: (request) =>
        transport.sendRequest(request).catch((error: unknown) => {
          if (error instanceof ConnectorError) failure = error;
          throw error;
        }),
    },
  });

  return {
    expiresAt: () => expiresAt,
    async getToken(scopes, { tenantId, ...options } = {}) {
      requireTenant(settings, tenantId);
      failure = undefined;
      try {
        const { token, expiresOnTimestamp } = await inner.getToken(scopes, options);
        expiresAt = expiresOnTimestamp;
        return { token, expiresOnTimestamp: Math.max(expiresAt, Date.now() + UNTOUCHED_MS) };
      } catch (error) {
        throw failure ?? error;
      }
    },
  };
}

// Returns undefined for a success.
function describeRefusal({ status, headers, body }: Answer): ConnectorError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const numbers = Array.isArray(body['error_codes']) ? body['error_codes'] : [];
  return authorityFailures.describeAnswer({
    status,
    header: (name) => headers.get(name),
    // Status 429 always means a rate limit, whatever codes come with it.
    codes: status === 429 ? [] : [...numbers, body['error']].map(String),
    said: { requestId: body['trace_id'] ?? headers.get('x-ms-request-id') },
  });
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
