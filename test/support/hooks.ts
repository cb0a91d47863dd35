import { dropDatabases } from './database.ts';
import { startInfrastructure, type Infrastructure } from './infrastructure.ts';
import { failOnLeak, watchForLeaks } from './leaks.ts';
import { ofFile } from './root-hooks.ts';
import { failOnStrays } from './strays.ts';

let servers: Infrastructure | undefined;

/** Starts Postgres and RabbitMQ once for the whole run, before the processes that run the test files. */
export async function mochaGlobalSetup(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void stop().finally(() => process.exit(130));
    });
  }
  servers = await startInfrastructure();
}

/** Stops both. Throws if a test file left a server running. */
export async function mochaGlobalTeardown(): Promise<void> {
  await dropDatabases();
  await stop();
  await failOnStrays();
}

/** Runs around the tests of each file. */
export const mochaHooks = { beforeAll: ofFile(watchForLeaks), afterAll: ofFile(failOnLeak) };

async function stop(): Promise<void> {
  await servers?.stop();
  servers = undefined;
}
