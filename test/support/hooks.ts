import { dropDatabases } from './database.ts';
import { startInfrastructure, type Infrastructure } from './infrastructure.ts';
import { failOnLeak } from './leaks.ts';

let servers: Infrastructure | undefined;

/** Starts Postgres and RabbitMQ once for the whole run. */
export async function mochaGlobalSetup(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void stop().finally(() => process.exit(130));
    });
  }
  servers = await startInfrastructure();
}

/** Ends both, then watches that nothing else keeps the process alive. */
export async function mochaGlobalTeardown(): Promise<void> {
  await dropDatabases();
  await stop();
  failOnLeak();
}

async function stop(): Promise<void> {
  await servers?.stop();
  servers = undefined;
}
