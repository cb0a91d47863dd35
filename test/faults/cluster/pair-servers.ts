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
  /** As in `databaseHosts`. */
  databases: PostgresNode[];
  primary: () => PostgresNode;
  standby: () => PostgresNode;
  /**
   * Makes the standby the primary, whose commits wait for nobody until there is a standby again, as a manager of failovers
   * does it. The answer is the former primary, which may live on.
   */
  promote: () => Promise<PostgresNode>;
  /** Makes a former primary a standby, with a new copy; from then on commits wait for it. */
  rejoin: (former: PostgresNode) => Promise<void>;
};

/** What brokers alone give to servers. */
export type Brokers = Pick<Servers, 'brokerHosts' | 'amqpUrl' | 'restartRabbitmq'>;

type Folder = Pick<Servers, 'directory' | 'discard'>;
type Roles = Omit<PairServers, keyof Brokers | keyof Folder>;

/** Starts it with a single broker in a folder of their own, which is removed even where this process is killed. */
export async function startPairServers(): Promise<PairServers> {
  return startTogether(startBroker);
}

/** Starts it with whatever brokers; all of them are in one folder. */
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
    restartPostgres: async (how) => {
      await primary[how]();
      await primary.start();
    },
  };
}
