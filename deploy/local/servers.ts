import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasContainerEngine, startContainer, stopContainers } from './containers.ts';
import { canInstall, ensureBinaries, findMissing } from './install.ts';
import { startPostgres, stopPostgres } from './postgres.ts';
import { listRunning, stopProcess } from './processes.ts';
import { startRabbitmq, stopRabbitmq } from './rabbitmq.ts';
import { removeFolderOf } from './unprivileged.ts';

/** The URLs of the database and the broker. */
export interface ServerUrls {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
}

/**
 * Uses each server that is given, and starts a private one with its data below `directory` for the others, both at once.
 * Finds servers that already run there. Tries programs on the machine, then packages, then containers.
 */
export async function startServers(options: {
  directory: string;
  given: { [name in keyof ServerUrls]: string | undefined };
  throwAway?: boolean;
}): Promise<ServerUrls> {
  const { directory, given } = options;
  const needs = { postgres: !given.databaseUrl, rabbitmq: !given.amqpUrl };
  const missing = findMissing(needs);
  const inContainers = missing.length > 0 && !canInstall() && hasContainerEngine();
  if (!inContainers) ensureBinaries(needs);

  const startDatabase = async (): Promise<string> => {
    if (given.databaseUrl) return given.databaseUrl;
    if (inContainers && missing.includes('postgresql'))
      return startContainer({ directory, name: 'postgres' });
    const throwAway = options.throwAway ?? false;
    return (await startPostgres({ directory: join(directory, 'postgres'), throwAway })).url;
  };
  const startBroker = async (): Promise<string> => {
    if (given.amqpUrl) return given.amqpUrl;
    if (inContainers && missing.includes('rabbitmq-server'))
      return startContainer({ directory, name: 'rabbitmq' });
    return (await startRabbitmq({ directory: join(directory, 'rabbitmq') })).url;
  };
  // Waits for both even if one fails, so that no start continues after this function has returned.
  const [database, broker] = await Promise.allSettled([startDatabase(), startBroker()]);
  if (database.status === 'rejected') throw database.reason;
  if (broker.status === 'rejected') throw broker.reason;
  return { databaseUrl: database.value, amqpUrl: broker.value };
}

/** Stops the private servers of a directory and keeps their data. Returns the names of those that ran. */
export async function stopServers(directory: string): Promise<string[]> {
  const [rabbitmq, postgres] = await Promise.all([
    stopRabbitmq(join(directory, 'rabbitmq')),
    stopPostgres(join(directory, 'postgres')),
  ]);
  const containers = stopContainers(directory, { removeData: false });
  const ran = { RabbitMQ: rabbitmq, Postgres: postgres, containers: containers };
  return Object.entries(ran).flatMap(([name, hadRun]) => (hadRun ? [name] : []));
}

/** Kills the private servers of a directory and removes the directory with their data. */
export async function discardServers(directory: string): Promise<void> {
  const instances = existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [];
  for (const { name: folder } of instances.filter((one) => one.isDirectory())) {
    const instance = join(directory, folder);
    for (const record of listRunning(instance)) {
      await stopProcess({ directory: instance, name: record.name, limitMs: 0 });
    }
    removeFolderOf(join(instance, 'data'));
    removeFolderOf(join(instance, 'data.new'));
  }
  stopContainers(directory, { removeData: true });
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
