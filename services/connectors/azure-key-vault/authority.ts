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

// The SDK renews a token in the background in its last two minutes, and a failure of that would end the process. So it
// is never told of a token that short; clients are replaced before (`client.ts`).
const UNTOUCHED_MS = 10 * 60_000;

/** The settings that tell who signs in. */
type Application = { tenant_id: string; client_id: string; client_secret: string };

/** Hands out credentials for a destination's application; each has a token cache of its own. */
export type Authority = { createCredential: () => Credential; close: () => void };

/** `expiresAt`: when the latest token ends (milliseconds since the epoch), 0 before the first. */
export type Credential = TokenCredential & { expiresAt: () => number };

/** The operator's authority (`SEALIFT_AZURE_AUTHORITY_HOST`), else the cloud's. Throws a ConnectorError where it is no https URL. */
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
  // The SDK buries what the authority said in errors that tell nothing apart; it is kept here on its way in.
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
    // No repeats (the engine decides), and no redirect is followed.
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    authorityHost: address.origin,
    // Only public authorities are known to the vendor's directory of them.
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

// Undefined for a success.
function describeRefusal({ status, headers, body }: Answer): ConnectorError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const numbers = Array.isArray(body['error_codes']) ? body['error_codes'] : [];
  return authorityFailures.describeAnswer({
    status,
    header: (name) => headers.get(name),
    // A limit is a limit, whatever else it says.
    codes: status === 429 ? [] : [...numbers, body['error']].map(String),
    said: { requestId: body['trace_id'] ?? headers.get('x-ms-request-id') },
  });
}

// What a vault says about its tenant is compared, never followed; a domain cannot be compared with an id.
function requireTenant({ tenant_id: own }: Application, told: string | undefined): void {
  if (told === undefined || !GUID.test(told) || !GUID.test(own)) return;
  if (told.toLowerCase() === own.toLowerCase()) return;
  const message = 'The vault belongs to another tenant: set tenant_id to that of the vault.';
  throw authorityFailures.fail('credentials_refused', { message });
}

function readAddress(cloud: Cloud, { environment }: ConnectorContext): URL {
  const text = environment('SEALIFT_AZURE_AUTHORITY_HOST') ?? cloud.authority;
  const address = text.includes('://') ? text : `https://${text}`;
  if (URL.canParse(address) && new URL(address).protocol === 'https:') return new URL(address);
  const message =
    'SEALIFT_AZURE_AUTHORITY_HOST of the connector is no https URL: the operator must correct it.';
  throw authorityFailures.fail('configuration_invalid', { message });
}

// Node itself reads the variable only at its start, and goes on without a file that it cannot read; so do we.
function readAuthorities({ environment }: ConnectorContext): { ca: string[] } | undefined {
  const file = environment('NODE_EXTRA_CA_CERTS');
  if (file === undefined) return undefined;
  try {
    return { ca: [...rootCertificates, readFileSync(file, 'utf8')] };
  } catch {
    return undefined;
  }
}
