import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, stopPostgres } from '../../deploy/local/postgres.ts';
import { startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { ensureBinaries } from '../../deploy/local/install.ts';
import { makePrivateFolder } from '../support/private-folder.ts';
import { signalServer } from '../support/process-group.ts';

/** A private database and broker that may be ended in any way. Data survive a kill: nothing is traded for speed. */
export type Servers = {
  directory: string;
  /** Each at an address that stays. */
  databaseHosts: Host[];
  brokerHosts: Host[];
  /** The way to whichever takes changes at this moment, past every proxy. */
  databaseUrl: () => string;
  amqpUrl: () => string;
  restartPostgres: (how: 'stop' | 'kill') => Promise<void>;
  restartRabbitmq: (how: 'stop' | 'kill') => Promise<void>;
  discard: () => Promise<void>;
};

/** One server. */
export type Host = { url: string; port: number };

/** Starts both in a folder of their own, which is removed even where this process is killed. */
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
    restartPostgres: async (how) => {
      if (how === 'kill') await signalServer({ directory: postgres, name: 'postgres' }, 'SIGKILL');
      else await stopPostgres(postgres);
      await sleep(300);
      await startPostgres({ directory: postgres });
    },
  };
}

/** Starts a single broker in a folder that somebody else removes. */
export async function startBroker(
  folder: string,
): Promise<Pick<Servers, 'brokerHosts' | 'amqpUrl' | 'restartRabbitmq'>> {
  const directory = join(folder, 'rabbitmq');
  const { url } = await startRabbitmq({ directory });
  return {
    brokerHosts: [hostAt(url)],
    amqpUrl: () => url,
    restartRabbitmq: async (how) => {
      if (how === 'kill') await signalServer({ directory, name: 'rabbitmq-vm' }, 'SIGKILL');
      else await stopRabbitmq(directory);
      // A quorum queue that is declared within a second of a kill can come back broken.
      await sleep(300);
      await startRabbitmq({ directory });
    },
  };
}

function hostAt(url: string): Host {
  return { url, port: Number(new URL(url).port) };
}
