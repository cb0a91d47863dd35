import type { SecretsManagerClient, SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { sharedAgent } from '../../../libs/egress/agent.ts';
import { exchange, type Received } from '../../../libs/egress/exchange.ts';

type Handler = SecretsManagerClient['config']['requestHandler'];
type Request = Parameters<Handler['handle']>[0];

// All destinations of the process without network limits of their own share this agent, because most talk to the same few
// hosts. It opens as many connections as there are calls, and the engine limits those: a call that waited for a
// connection would use up its time limit. Idle connections keep no process alive.
const unlimitedAgent = sharedAgent({});

/** Replaces the SDK's own handler: a call has one time limit, from its first byte to the last byte of the answer. */
export function createHandler(
  context: ConnectorContext,
): NonNullable<SecretsManagerClientConfig['requestHandler']> {
  const { callTimeoutMs: timeoutMs, networkLimits } = context;
  const agent = networkLimits ? sharedAgent({ networkLimits }) : unlimitedAgent;
  return {
    async handle(request: Request, { abortSignal }: { abortSignal?: unknown } = {}) {
      const { protocol, hostname, path, method, body } = request;
      const headers = { ...request.headers, 'user-agent': 'sealift' };
      const origin = `${protocol}//${hostname}${request.port === undefined ? '' : `:${request.port}`}`;
      const signal = abortSignal instanceof AbortSignal ? abortSignal : null;
      const isPlain = typeof body === 'string' || body instanceof Uint8Array;
      const sent = { method, headers, body: isPlain ? body : null, signal };
      return { response: toResponse(await exchange({ origin, path }, sent, { agent, timeoutMs })) };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy: () => void (agent === unlimitedAgent || agent.destroy()),
  };
}

function toResponse({ status, statusText, headers, body }: Received) {
  return { statusCode: status, reason: statusText, headers: headers as Record<string, string>, body };
}
