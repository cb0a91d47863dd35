import {
  SecretsManagerClient,
  type $Command,
  type SecretsManagerClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-secrets-manager';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { failures, translate } from './failures.ts';
import { signIn, type Access } from './sign-in/sign-in.ts';
import { createHandler } from './transport.ts';

type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
  Input,
  Output,
  SecretsManagerClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

/** Makes one call. Throws ConnectorErrors only, except for bugs of our own. */
export type Send = <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: Command<Input, Output>,
) => Promise<Output>;

function createClient(settings: Access, context: ConnectorContext): SecretsManagerClient {
  const { region } = settings;
  const requestHandler = createHandler(context);
  const credentials = signIn(settings, context, requestHandler);
  const endpoint = context.environment('AWS_ENDPOINT_URL_SECRETS_MANAGER');
  const client = new SecretsManagerClient({
    requestHandler,
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    credentials,
  });
  leaveRetriesToEngine(client, context);
  return client;
}

// The engine decides about retries, for all workers together. Only a call that was signed with a wrong clock is made once
// more: the SDK takes the store's time from the answer. Other middlewares place themselves relative to the retry
// middleware, so we replace it and keep its name.
function leaveRetriesToEngine(
  { config, middlewareStack }: SecretsManagerClient,
  context: ConnectorContext,
): void {
  middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!isClockCorrected(error)) throw error;
        context.noteClockOffset?.(config.systemClockOffset);
        return next(args);
      }
    },
    { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true },
  );
}

function isClockCorrected(error: unknown): boolean {
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  return (error.$metadata as { clockSkewCorrected?: boolean }).clockSkewCorrected === true;
}

async function requireRegion(client: SecretsManagerClient): Promise<void> {
  try {
    await client.config.region();
  } catch {
    const message = 'No region is set. Set region, or AWS_REGION for the connector.';
    throw failures.fail('configuration_invalid', { message });
  }
}

/** Opens one client for a destination's settings; it sends nothing yet. The signal of `send` ends a call. */
export function openClient(settings: Access, context: ConnectorContext) {
  const client = createClient(settings, context);

  const send = async <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
    command: Command<Input, Output>,
    signal: AbortSignal,
  ): Promise<Output> => {
    try {
      await requireRegion(client);
      signal.throwIfAborted();
      return await client.send(command, { abortSignal: signal });
    } catch (error) {
      if (signal.aborted) throw failures.fail('call_interrupted');
      // The SDK names its command classes after their operations.
      throw translate(error, command.constructor.name.replace(/Command$/, ''));
    }
  };
  return { send, close: () => client.destroy() };
}
