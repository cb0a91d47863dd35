import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Cloud1SmSettings } from './destination.ts';
import { translate } from './translate.ts';

/** One call with the SDK's client; the signal ends it. */
export type Call<Output> = (
  client: SecretsManagerClient,
  options: { abortSignal: AbortSignal },
) => Promise<Output>;

/** Makes the call `operation` and throws ConnectorErrors only, but for faults of our own. */
export type Invoke = <Output>(operation: string, signal: AbortSignal, call: Call<Output>) => Promise<Output>;

const AGENT_OPTIONS = {
  // As many as there are calls, which the engine bounds: a call that waited for a connection would use up its time limit.
  keepAlive: true,
  // An idle connection is given up before the far side does it just when it is used again.
  timeout: 15_000,
};

// All destinations of the process share them: most talk to the same few hosts. Idle sockets keep no process alive.
let sharedAgents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent } | undefined;

function agents() {
  sharedAgents ??= { httpAgent: new HttpAgent(AGENT_OPTIONS), httpsAgent: new HttpsAgent(AGENT_OPTIONS) };
  return sharedAgents;
}

function createClient(settings: Cloud1SmSettings, context: ConnectorContext): SecretsManagerClient {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, region } = settings;
  const endpoint = context.environment('AWS_ENDPOINT_URL_SECRETS_MANAGER');
  return new SecretsManagerClient({
    requestHandler: { ...agents(), connectionTimeout: 5000 },
    // The engine decides when to try again, for all workers together.
    maxAttempts: 1,
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  });
}

async function requireRegion(client: SecretsManagerClient): Promise<void> {
  try {
    await client.config.region();
  } catch {
    throw new ConnectorError({
      kind: 'client',
      code: 'region_missing',
      message: 'No region is known: set region, or AWS_REGION for the connector.',
      scope: 'destination',
    });
  }
}

function interrupted(signal: AbortSignal): ConnectorError {
  return signal.aborted
    ? new ConnectorError({
        kind: 'external',
        code: 'interrupted',
        message: 'The call was stopped before its end.',
      })
    : new ConnectorError({
        kind: 'external',
        code: 'timed_out',
        message: 'The service did not answer in time; it is tried again.',
        scope: 'destination',
      });
}

/** Opens one client for a destination's settings; nothing is sent yet. */
export function createInvoke(settings: Cloud1SmSettings, context: ConnectorContext): Invoke {
  const client = createClient(settings, context);

  return async (operation, signal, call) => {
    const limit = new AbortController();
    const stop = () => limit.abort();
    const timer = setTimeout(stop, context.callTimeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await requireRegion(client);
      limit.signal.throwIfAborted();
      return await call(client, { abortSignal: limit.signal });
    } catch (error) {
      throw limit.signal.aborted ? interrupted(signal) : translate(error, operation);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  };
}
