import { ensureBinaries } from '../../../deploy/local/install.ts';
import {
  setSynchronous,
  startPairIn,
  waitForStandby,
  type PostgresNode,
} from '../../support/postgres-pair.ts';
import { makePrivateFolder } from '../../support/private-folder.ts';
import { startBroker, type Servers } from '../servers.ts';

/** A primary of Postgres whose commits wait for its standby. */
export type PairServers = Servers & {
  /** In the order of `databaseHosts`. */
  databases: PostgresNode[];
  primary: () => PostgresNode;
  standby: () => PostgresNode;
  /**
   * Promotes the standby, as a failover manager does. Until it has a standby again, its commits wait for none. Returns the
   * former primary, which may still run.
   */
  promote: () => Promise<PostgresNode>;
  /** Makes a former primary a standby, with a new copy. From then on commits wait for it. */
  rejoin: (former: PostgresNode) => Promise<void>;
};

/** The part of the servers that the brokers provide. */
export type Brokers = Pick<Servers, 'brokerHosts' | 'amqpUrl' | 'restartRabbitmq'>;

type Folder = Pick<Servers, 'directory' | 'discard'>;
type Roles = Omit<PairServers, keyof Brokers | keyof Folder>;

/** Starts it with one broker, in a folder of its own. The folder is removed even if this process is killed. */
export async function startPairServers(): Promise<PairServers> {
  return startTogether(startBroker);
}

/** Starts it with the given brokers; all of them use one folder. */
export async function startTogether<Given>(
  startBrokers: (directory: string) => Promise<Given>,
): Promise<Roles & Folder & Given> {
  ensureBinaries({ postgres: true, rabbitmq: true });
  const { directory, discard } = makePrivateFolder('faults');
  try {
    const [pair, brokers] = await Promise.all([startPairIn(directory), startBrokers(directory)]);
    for (const node of [pair.primary, pair.standby]) await setSynchronous(node, true);
    await waitForStandby(pair.primary);
    return { directory, discard, ...brokers, ...withRoles(pair) };
  } catch (error) {
    await discard();
    throw error;
  }
}

function withRoles(pair: Awaited<ReturnType<typeof startPairIn>>): Roles {
  const databases = [pair.primary, pair.standby];
  let { primary, standby } = pair;
  return {
    databases,
    databaseHosts: databases,
    primary: () => primary,
    standby: () => standby,
    databaseUrl: () => primary.url,
    promote: async () => {
      await standby.promote();
      await setSynchronous(standby, false);
      [primary, standby] = [standby, primary];
      return standby;
    },
    rejoin: async (former) => {
      await former.follow(primary);
      await waitForStandby(primary);
      for (const node of databases) await setSynchronous(node, true);
    },
    restartPostgres: async (way) => {
      await primary[way]();
      await primary.start();
    },
  };
}
