import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ClientSecretCredential, type TokenCredential } from '@azure/identity';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { keepAliveAgent } from '../../../libs/egress/agent.ts';
import { isAllowed } from '../../../libs/egress/guard.ts';
import { describeAuthorityAnswer } from './authority-failures.ts';
import type { Cloud } from './clouds.ts';
import type { Cloud2KvSettings } from './destination.ts';
import { createTransport } from './transport.ts';

const PEER = { name: 'the sign-in service', address: 'SEALIFT_AZURE_AUTHORITY_HOST' };
const MOST_CONNECTIONS = 8;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// The SDK renews a token in the background in its last two minutes, and a failure of that would end the process. So it
// is never told of a token that short; clients are replaced before (`client.ts`).
const UNTOUCHED_MS = 10 * 60_000;

/** Hands out credentials for a destination's application; each has a token cache of its own. */
export type Authority = { createCredential: () => Credential; close: () => void };

/** `expiresAt`: when the latest token ends (milliseconds since the epoch), 0 before the first. */
export type Credential = TokenCredential & { expiresAt: () => number };

function readAddress(cloud: Cloud, { environment }: ConnectorContext): URL {
  const text = environment('SEALIFT_AZURE_AUTHORITY_HOST') ?? cloud.authority;
  const address = text.includes('://') ? text : `https://${text}`;
  if (URL.canParse(address) && new URL(address).protocol === 'https:') return new URL(address);
  throw new ConnectorError({
    kind: 'client',
    code: 'authority_invalid',
    message: 'SEALIFT_AZURE_AUTHORITY_HOST of the connector is no https URL: the operator must correct it.',
    scope: 'destination',
  });
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

function wrongTenant(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'tenant_mismatch',
    message: 'The vault belongs to another tenant: set tenant_id to that of the vault.',
    scope: 'destination',
  });
}

/** The operator's authority (`SEALIFT_AZURE_AUTHORITY_HOST`), else the cloud's. Throws a ConnectorError where it is no https URL. */
export function openAuthority(
  settings: Cloud2KvSettings,
  cloud: Cloud,
  context: ConnectorContext,
): Authority {
  const address = readAddress(cloud, context);
  const agent = keepAliveAgent(address.origin, MOST_CONNECTIONS, readAuthorities(context));

  function createCredential(): Credential {
    // The SDK buries what the authority said in errors that tell nothing apart; it is kept here on its way in.
    let failure: ConnectorError | undefined;
    let expiresAt = 0;
    const transport = createTransport({
      peer: PEER,
      baseUrl: address.origin,
      agent,
      timeoutMs: context.callTimeoutMs,
      isPlausible: () => true,
      note: (answer) => (failure = describeAuthorityAnswer(answer)),
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
        // What a vault says about its tenant is compared, never followed; a domain cannot be compared with an id.
        const isTold = tenantId !== undefined && GUID.test(tenantId) && GUID.test(settings.tenant_id);
        if (isTold && tenantId.toLowerCase() !== settings.tenant_id.toLowerCase()) throw wrongTenant();
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

  return { createCredential, close: () => void agent.destroy() };
}
