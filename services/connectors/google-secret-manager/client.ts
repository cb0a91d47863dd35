import { SecretManagerServiceClient } from '@google-cloud/secret-manager';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { createExchange, type ExchangeOptions } from '../../../libs/egress/exchange.ts';
import { openAgent } from '../../../libs/connector/http/agent.ts';
import { failures, type Operation, readAnswer, RefusedError, translate } from './failures.ts';
import { DEFAULT_UNIVERSE, type ServiceAccount } from './service-account.ts';

/** One call with the SDK's client, which answers with the result first; the options let the signal end it. */
export type Call<Output> = (
  client: SecretManagerServiceClient,
  options: CallOptions,
) => Promise<[Output, ...unknown[]]>;

type CallOptions = { otherArgs: { headers: Record<string, string> } };

/** Makes a call; throws ConnectorErrors only, but for faults of our own, which never hold what was sent. */
export type Invoke = <Output>(
  operation: Operation,
  signal: AbortSignal,
  call: Call<Output>,
) => Promise<Output>;

export type Client = { invoke: Invoke; close: () => void };

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];
const MOST_CONNECTIONS = 128;

// The SDK hands its transport neither a signal nor a time limit: a header that goes no further says which call it is.
const CALL_HEADER = 'x-sealift-call';

/** The SDK over our own connections: no retries, no redirects, a time limit that cuts. Nothing is sent yet. */
export function createClient(account: ServiceAccount, context: ConnectorContext): Client {
  const { baseUrl, agent } = connect(account, context);
  const signals = new Map<string, AbortSignal>();
  const transport = createTransport({ baseUrl, agent, timeoutMs: context.callTimeoutMs }, signals);
  let calls = 0;
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
      const id = String((calls += 1));
      signals.set(id, signal);
      try {
        const [output] = await call(client, { otherArgs: { headers: { [CALL_HEADER]: id } } });
        return output;
      } catch (error) {
        throw translate(error, operation);
      } finally {
        signals.delete(id);
      }
    },
    close: () => void agent.destroy(),
  };
}

// What the SDK sends with; `signals` are those of the calls under way, by their id.
function createTransport(options: ExchangeOptions, signals: Map<string, AbortSignal>): typeof fetch {
  const exchange = createExchange(options);
  return async (input, init = {}) => {
    const { [CALL_HEADER]: id = '', ...headers } = Object.fromEntries(new Headers(init.headers));
    const url = input instanceof Request ? input.url : String(input);
    const {
      status,
      headers: given,
      body,
    } = await exchange(url, {
      method: init.method ?? 'GET',
      headers,
      body: typeof init.body === 'string' ? init.body : null,
      signal: signals.get(id) ?? null,
    });
    // Looked at here, because the SDK keeps neither status nor headers of a refusal.
    const isResult = status >= 200 && status < 300 && given['content-type']?.includes('json');
    if (!isResult) throw new RefusedError(readAnswer(status, given, body.toString()));
    return toResponse(status, body);
  };
}

// Of a result the SDK reads the bytes alone; a body of its own would be a stream, made anew for each answer.
function toResponse(status: number, body: Buffer): Response {
  const bytes = body.buffer.slice(body.byteOffset, body.byteOffset + body.length);
  return Object.assign(new Response(null, { status }), { arrayBuffer: () => Promise.resolve(bytes) });
}

function connect({ universeDomain }: ServiceAccount, context: ConnectorContext) {
  const operators = context.environment('CLOUD3_SM_API_URL');
  const baseUrl = operators ?? `https://secretmanager.${universeDomain}`;
  const isTrusted = operators !== undefined || universeDomain === DEFAULT_UNIVERSE;
  return {
    baseUrl,
    agent: openAgent(baseUrl, context, { isTrusted, maxSockets: MOST_CONNECTIONS, failures }),
  };
}
