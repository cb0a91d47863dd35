import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bag } from '../../libs/collections/bag.ts';
import { createCommands } from '../../libs/commands/commands.ts';
import { createEventSender } from '../../libs/queue/events.ts';
import { createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import type { Context } from '../../libs/service/context.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { createQueueCapacity } from '../../libs/store/counts/queue-capacity.ts';
import { notifyOnCommit } from '../../libs/store/due/announce.ts';
import { withTimeout } from '../../libs/time/with-timeout.ts';
import { createApp } from './app.ts';
import { createSubscriptions } from './events/subscriptions.ts';
import { createChangeTeller } from './events/change-teller.ts';
import { prepareDrain } from './http/drain.ts';
import { acceptListMethod } from './http/list-method/list-method.ts';
import { createAuditTrail } from './audit/trail.ts';
import { startRateLimit } from './middleware/rate-limit.ts';
import { handleClientErrors } from './http/client-error-handler.ts';
import { createServer } from './http/server.ts';
import { acceptUpgrades } from './http/upgrade.ts';
import { createSamlVerifier } from './saml/answer/verifier.ts';
import { listen } from '../../libs/service/listen.ts';

/** Listens on HOST and PORT (PORT 0: any free port). `port` is the port in use. */
export async function startApi(context: Context): Promise<Service & { port: number }> {
  notifyOnCommit(context.db, createWorkNotifier(context.broker, context.topology, context.log));
  const events = createEventSender(context.broker, context.topology);
  const commands = createCommands(context.broker, {
    ...context,
    timeoutMs: context.config.COMMAND_TIMEOUT,
  });
  const audit = createAuditTrail(context.db, context.log);
  const rateLimit = await startRateLimit(context);
  const queueCapacity = createQueueCapacity();
  const samlVerifier = createSamlVerifier();
  const subscriptions = createSubscriptions(context);
  const changes = createChangeTeller(context.keyring, events);
  context.broker.start();
  const app = createApp({
    ...context,
    events,
    commands,
    audit,
    rateLimit,
    queueCapacity,
    samlVerifier,
    subscriptions,
    changes,
  });
  const handle = app.callback();
  const handling = new Bag<Promise<void>>();
  const listener: RequestListener = (request, response) => {
    const takeOut = handling.add(handle(request, response).finally(() => takeOut()));
  };
  const server = createServer(listener, context.config, context.log);
  server.on('checkExpectation', listener);
  acceptListMethod(server);
  const cutUpgrades = acceptUpgrades(server, listener);
  const drain = prepareDrain(server, (context.config.SHUTDOWN_TIMEOUT * 3) / 4);
  handleClientErrors(server, context);
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  server.keepAliveTimeout = 65_000;
  const { HOST: host, PORT: port } = context.config;
  await listen(server, { host, port }, { host: 'HOST', port: 'PORT' });
  return {
    port: (server.address() as AddressInfo).port,
    // The API reads and writes without the broker. Only a request that needs a command gets 503.
    needsBroker: false,
    stop: async () => {
      await subscriptions.stop();
      // The server waits for these connections too, and does not know them any more.
      cutUpgrades();
      await drain();
      // Handlers of cut connections still have to notice the cut and write to the audit trail.
      await withTimeout(context.config.SHUTDOWN_TIMEOUT / 8, Promise.all(handling)).catch(() => undefined);
      await changes.stop();
      await rateLimit.stop();
      await samlVerifier.stop();
      await audit.stop();
    },
  };
}
