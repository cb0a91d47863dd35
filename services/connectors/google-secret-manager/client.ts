import { SecretManagerServiceClient } from '@google-cloud/secret-manager';
import { GoogleAuth, JWT, OAuth2Client, type AuthClient } from 'google-auth-library';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { beforeSending } from '../../../libs/connector/errors.ts';
import { createExchange, type ExchangeOptions } from '../../../libs/egress/exchange.ts';
import { openAgent } from '../../../libs/connector/http/agent.ts';
import { failures, type Operation, readAnswer, RefusedError, translate } from './failures.ts';
import { DEFAULT_UNIVERSE, type ServiceAccount } from './service-account.ts';
import { SCOPE, type TokenSource } from './sign-in/token-source.ts';

/** One call with the SDK's client, which returns the result first. The options let the signal end the call. */
export type Call<Output> = (
  client: SecretManagerServiceClient,
  options: CallOptions,
) => Promise<[Output, ...unknown[]]>;

type CallOptions = { otherArgs: { headers: Record<string, string> }; retry: null };

/** Makes a call. Throws ConnectorErrors only, except for bugs of our own; those errors never hold what was sent. */
export type Invoke = <Output>(
  operation: Operation,
  signal: AbortSignal,
  call: Call<Output>,
) => Promise<Output>;

export type Client = { invoke: Invoke; close: () => void };

const MOST_CONNECTIONS = 128;

// The SDK gives its transport neither a signal nor a time limit. This header, which is not sent, says which call it is.
const CALL_HEADER = 'x-sealift-call';

/** Where the secrets are. */
type Place = Pick<ServiceAccount, 'projectId' | 'universeDomain'>;

type TokenAccess = Place & TokenSource;

/** The SDK over our own connections: no retries, no redirects, and a time limit that aborts. Sends nothing yet. */
export function createClient(access: ServiceAccount | TokenAccess, context: ConnectorContext): Client {
  const { baseUrl, agent } = connect(access, context);
  const holder = 'read' in access ? access.holder : undefined;
  const signals = new Map<string, AbortSignal>();
  const transport = createTransport({ baseUrl, agent, timeoutMs: context.callTimeoutMs }, signals);
  let calls = 0;
  const { hostname, port, protocol } = new URL(baseUrl);
  const client = new SecretManagerServiceClient({
    fallback: true,
    apiEndpoint: hostname,
    protocol: protocol.slice(0, -1),
    port: Number(port) || (protocol === 'http:' ? 80 : 443),
    universeDomain: access.universeDomain,
    projectId: access.projectId,
    auth: new GoogleAuth({ authClient: signIn(access, transport), projectId: access.projectId }),
  });

  return {
    async invoke(operation, signal, call) {
      const id = String((calls += 1));
      signals.set(id, signal);
      try {
        const [output] = await call(client, { otherArgs: { headers: { [CALL_HEADER]: id } }, retry: null });
        return output;
      } catch (error) {
        throw translate(error, operation, holder);
      } finally {
        signals.delete(id);
      }
    },
    close: () => {
      void agent.destroy();
      if ('read' in access) access.close();
    },
  };
}

function signIn(access: ServiceAccount | TokenAccess, transport: typeof fetch): AuthClient {
  return 'read' in access ? signInByToken(access, transport) : signInByKey(access, transport);
}

// The SDK asks anew five minutes before a token expires. Calls that begin then share one token.
function signInByToken({ read, universeDomain }: TokenAccess, transport: typeof fetch): OAuth2Client {
  let reading: ReturnType<typeof read> | undefined;
  const client = new OAuth2Client({
    universeDomain,
    transporterOptions: { fetchImplementation: transport, retry: false },
  });
  client.refreshHandler = () => (reading ??= beforeSending(read).finally(() => (reading = undefined)));
  return client;
}

function signInByKey(account: ServiceAccount, transport: typeof fetch): JWT {
  const { clientEmail, privateKey, privateKeyId, universeDomain } = account;
  const client = new JWT({
    email: clientEmail,
    key: privateKey,
    ...(privateKeyId === undefined ? {} : { keyId: privateKeyId }),
    scopes: [SCOPE],
    universeDomain,
    transporterOptions: { fetchImplementation: transport, retry: false },
  });
  // With a scope the SDK signs its own tokens, so it never calls a token address.
  client.useJWTAccessWithScope = true;
  return client;
}

// The transport of the SDK; `signals` are those of the running calls, by their id.
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
    // We read refusals here, because the SDK keeps neither their status nor their headers.
    const isResult = status >= 200 && status < 300 && given['content-type']?.includes('json');
    if (!isResult) throw new RefusedError(readAnswer(status, given, body.toString()));
    return toResponse(status, body);
  };
}

// The SDK reads only the bytes of a result. A real body would be a stream that is made for each answer.
function toResponse(status: number, body: Buffer): Response {
  const bytes = body.buffer.slice(body.byteOffset, body.byteOffset + body.length);
  return Object.assign(new Response(null, { status }), { arrayBuffer: () => Promise.resolve(bytes) });
}

function connect({ universeDomain }: Place, context: ConnectorContext) {
  const operators = context.environment('CLOUD3_SM_API_URL');
  const baseUrl = operators ?? `https://secretmanager.${universeDomain}`;
  const isTrusted = operators !== undefined || universeDomain === DEFAULT_UNIVERSE;
  return {
    baseUrl,
    agent: openAgent(baseUrl, context, { isTrusted, maxSockets: MOST_CONNECTIONS, failures }),
  };
}
