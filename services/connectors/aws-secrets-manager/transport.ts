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

// The signals, first by the input of the command, then by the request that the SDK makes of it.
const signals = new WeakMap<object, AbortSignal>();

/**
 * Ends the call with this input when the signal aborts. The SDK has an option for that, but it then builds its middleware
 * stack again for each call, which takes a fifth of the call's time.
 */
export function endWith(input: object, signal: AbortSignal): void {
  signals.set(input, signal);
}

/** Replaces the SDK's own handler: a call has one time limit, from its first byte to the last byte of the answer. */
export function createHandler(
  context: ConnectorContext,
): NonNullable<SecretsManagerClientConfig['requestHandler']> {
  const { callTimeoutMs: timeoutMs, networkLimits } = context;
  const agent = networkLimits ? sharedAgent({ networkLimits }) : unlimitedAgent;
  return {
    async handle(request: Request) {
      const { protocol, hostname, path, method, body } = request;
      const headers = { ...request.headers, 'user-agent': 'sealift' };
      const origin = `${protocol}//${hostname}${request.port === undefined ? '' : `:${request.port}`}`;
      const signal = signals.get(request) ?? null;
      const isPlain = typeof body === 'string' || body instanceof Uint8Array;
      const sent = { method, headers, body: isPlain ? body : null, signal };
      return { response: toResponse(await exchange({ origin, path }, sent, { agent, timeoutMs })) };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy: () => void (agent === unlimitedAgent || agent.destroy()),
  };
}

/** Lets `endWith` reach the handler; call it once per client. */
export function carrySignals(client: SecretsManagerClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const signal = signals.get(args.input);
      const { request } = args as { request?: object };
      if (signal && request) signals.set(request, signal);
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'carrySignal' },
  );
}

function toResponse({ status, statusText, headers, body }: Received) {
  return { statusCode: status, reason: statusText, headers: headers as Record<string, string>, body };
}
