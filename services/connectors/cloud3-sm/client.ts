import { AsyncLocalStorage } from 'node:async_hooks';
import { SecretManagerServiceClient } from '@google-cloud/secret-manager';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { createFetch } from '../../../libs/connector/egress-fetch.ts';
import { guardedAgent, keepAliveAgent } from '../../../libs/connector/egress.ts';
import { readAnswer, RefusedError } from './answer.ts';
import type { Operation } from './permissions.ts';
import { DEFAULT_UNIVERSE, type ServiceAccount } from './service-account.ts';
import { translate } from './translate.ts';

/** One call with the SDK's client, which answers with the result first. */
export type Call<Output> = (client: SecretManagerServiceClient) => Promise<[Output, ...unknown[]]>;

/** Makes a call; throws ConnectorErrors only, but for faults of our own, which never hold what was sent. */
export type Invoke = <Output>(
  operation: Operation,
  signal: AbortSignal,
  call: Call<Output>,
) => Promise<Output>;

export type Client = { invoke: Invoke; close: () => void };

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];
const MOST_CONNECTIONS = 128;

// The SDK hands its transport neither a signal nor a time limit.
const signals = new AsyncLocalStorage<AbortSignal>();

/** The SDK over our own connections: no retries, no redirects, a time limit that cuts. Nothing is sent yet. */
export function createClient(account: ServiceAccount, context: ConnectorContext): Client {
  const { baseUrl, agent } = connect(account, context);
  const send = createFetch({ baseUrl, agent, timeoutMs: context.callTimeoutMs });

  const transport: typeof fetch = async (input, init = {}) => {
    const response = await send(input instanceof Request ? input.url : input, {
      method: init.method,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : null,
      signal: signals.getStore(),
    });
    // Looked at here, because the SDK keeps neither status nor headers of a refusal.
    if (response.ok && response.headers.get('content-type')?.includes('json')) return response;
    throw new RefusedError(readAnswer(response.status, response.headers, await response.text()));
  };

  const { hostname, port, protocol } = new URL(baseUrl);
  const client = new SecretManagerServiceClient({
    fallback: true,
    apiEndpoint: hostname,
    protocol: protocol.slice(0, -1),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
    universeDomain: account.universeDomain,
    projectId: account.projectId,
    scopes: SCOPES,
    // With a scope the SDK signs its own tokens: no token address is ever called.
    credentials: {
      type: 'service_account',
      client_email: account.clientEmail,
      private_key: account.privateKey,
      ...(account.privateKeyId === undefined ? {} : { private_key_id: account.privateKeyId }),
    },
    clientOptions: { transporterOptions: { fetchImplementation: transport, retry: false } },
  });

  return {
    async invoke(operation, signal, call) {
      try {
        const [output] = await signals.run(signal, () => call(client));
        return output;
      } catch (error) {
        throw translate(error, operation);
      }
    },
    close: () => agent.destroy(),
  };
}

function connect({ universeDomain }: ServiceAccount, context: ConnectorContext) {
  const operators = context.environment('CLOUD3_SM_API_URL');
  const baseUrl = operators ?? `https://secretmanager.${universeDomain}`;
  const isTrusted = operators !== undefined || universeDomain === DEFAULT_UNIVERSE;
  const agent = isTrusted
    ? keepAliveAgent(baseUrl, MOST_CONNECTIONS)
    : guardedAgent(baseUrl, context, { maxSockets: MOST_CONNECTIONS });
  return { baseUrl, agent };
}
