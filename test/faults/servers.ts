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
  databaseUrl: string;
  amqpUrl: string;
  restartPostgres: (how: 'stop' | 'kill') => Promise<void>;
  restartRabbitmq: (how: 'stop' | 'kill') => Promise<void>;
  discard: () => Promise<void>;
};

/** Starts both in a folder of their own, which is removed even where this process is killed. */
export async function startFaultServers(): Promise<Servers> {
  ensureBinaries({ postgres: true, rabbitmq: true });
  const { directory, discard } = makePrivateFolder('faults');
  const postgres = join(directory, 'postgres');
  const rabbitmq = join(directory, 'rabbitmq');
  const [database, broker] = await Promise.all([
    startPostgres({ directory: postgres }),
    startRabbitmq({ directory: rabbitmq }),
  ]);
  // A quorum queue that is declared within a second of a kill can come back broken.
  return {
    directory,
    databaseUrl: database.url,
    amqpUrl: broker.url,
    restartPostgres: async (how) => {
      if (how === 'kill') await signalServer({ directory: postgres, name: 'postgres' }, 'SIGKILL');
      else await stopPostgres(postgres);
      await sleep(300);
      await startPostgres({ directory: postgres });
    },
    restartRabbitmq: async (how) => {
      if (how === 'kill') await signalServer({ directory: rabbitmq, name: 'rabbitmq-vm' }, 'SIGKILL');
      else await stopRabbitmq(rabbitmq);
      await sleep(300);
      await startRabbitmq({ directory: rabbitmq });
    },
    discard,
  };
}
