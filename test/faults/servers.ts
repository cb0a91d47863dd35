import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, stopPostgres } from '../../deploy/local/postgres.ts';
import { startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { ensureBinaries } from '../../deploy/local/install.ts';
import { makePrivateFolder } from '../support/private-folder.ts';
import { signalServer } from '../support/process-group.ts';

/** A private database and broker that may be killed in any way. Data survives a kill: nothing trades safety for speed. */
export type Servers = {
  directory: string;
  /** Each host has a fixed address. */
  databaseHosts: Host[];
  brokerHosts: Host[];
  /** The URL of the server that accepts changes at this moment, not through a proxy. */
  databaseUrl: () => string;
  amqpUrl: () => string;
  restartPostgres: (how: 'stop' | 'kill') => Promise<void>;
  restartRabbitmq: (how: 'stop' | 'kill') => Promise<void>;
  discard: () => Promise<void>;
};

/** One server. */
export type Host = { url: string; port: number };

/** Starts both in a folder of their own. The folder is removed even if this process is killed. */
export async function startFaultServers(): Promise<Servers> {
  ensureBinaries({ postgres: true, rabbitmq: true });
  const { directory, discard } = makePrivateFolder('faults');
  const postgres = join(directory, 'postgres');
  const [database, broker] = await Promise.all([
    startPostgres({ directory: postgres }),
    startBroker(directory),
  ]);
  return {
    directory,
    discard,
    ...broker,
    databaseHosts: [hostAt(database.url)],
    databaseUrl: () => database.url,
    restartPostgres: async (way) => {
      if (way === 'kill') await signalServer({ directory: postgres, name: 'postgres' }, 'SIGKILL');
      else await stopPostgres(postgres);
      await sleep(300);
      await startPostgres({ directory: postgres });
    },
  };
}

/** Starts one broker in a folder that the caller removes. */
export async function startBroker(
  folder: string,
): Promise<Pick<Servers, 'brokerHosts' | 'amqpUrl' | 'restartRabbitmq'>> {
  const directory = join(folder, 'rabbitmq');
  const { url } = await startRabbitmq({ directory });
  return {
    brokerHosts: [hostAt(url)],
    amqpUrl: () => url,
    restartRabbitmq: async (way) => {
      if (way === 'kill') await signalServer({ directory, name: 'rabbitmq-vm' }, 'SIGKILL');
      else await stopRabbitmq(directory);
      // A quorum queue declared within a second before a kill can come back broken.
      await sleep(300);
      await startRabbitmq({ directory });
    },
  };
}

function hostAt(url: string): Host {
  return { url, port: Number(new URL(url).port) };
}
