import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { choosePort } from '../../deploy/local/ports.ts';
import { startPortMapper, startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { makePrivateFolder } from './private-folder.ts';
import { hostsOf } from './postgres-pair.ts';
import { signalServer } from './process-group.ts';
import { findLeaders } from './queue-leaders.ts';

/** One node, at an address that stays. */
export type BrokerNode = {
  url: string;
  port: number;
  /** Its name, as the leader of a queue is told. */
  name: string;
  /** Ends it as the failure of its machine does. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Lets it stand still with its connections open until `thaw`. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
};

/** Three nodes of RabbitMQ; `url` names them all. Undo: `discard`. */
export type BrokerCluster = {
  nodes: BrokerNode[];
  url: string;
  /** The name of the node that leads each queue, by the queue's; throws where no node answers. */
  leaders: () => Promise<Map<string, string>>;
  discard: () => Promise<void>;
};

/** Starts all of them on this machine, in a folder of their own. */
export async function startBrokerCluster(): Promise<BrokerCluster> {
  const folder = makePrivateFolder('clusters');
  try {
    return { ...(await startBrokerClusterIn(folder.directory)), discard: folder.discard };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** The same in a folder that somebody else removes. */
export async function startBrokerClusterIn(directory: string): Promise<Omit<BrokerCluster, 'discard'>> {
  const mapper = await choosePort(undefined);
  const folder = join(directory, 'mapper');
  mkdirSync(folder, { recursive: true });
  await startPortMapper({ directory: folder, port: mapper });
  const peers = [1, 2, 3].map((number) => `r${number}@localhost`);
  const shared = {
    peers,
    mapper,
    cookie: randomBytes(12).toString('hex'),
    password: randomBytes(24).toString('hex'),
  };
  const nodes = await Promise.all(
    peers.map(async (name, index): Promise<BrokerNode> => {
      const own = { directory: join(directory, `rabbitmq-${index + 1}`), cluster: { ...shared, node: name } };
      const signal = (one: NodeJS.Signals) =>
        signalServer({ directory: own.directory, name: 'rabbitmq-vm' }, one);
      const { url } = await startRabbitmq(own);
      return {
        url,
        port: Number(new URL(url).port),
        name,
        kill: () => signal('SIGKILL'),
        stop: async () => void (await stopRabbitmq(own.directory)),
        start: async () => void (await startRabbitmq(own)),
        freeze: () => signal('SIGSTOP'),
        thaw: () => signal('SIGCONT'),
      };
    }),
  );
  const leaders = async (): Promise<Map<string, string>> => {
    for (const [index, node] of peers.entries()) {
      const own = { directory: join(directory, `rabbitmq-${index + 1}`), node, mapper };
      const found = await findLeaders(own).catch(() => undefined);
      if (found) return found;
    }
    throw new Error('no node of RabbitMQ tells who leads its queues');
  };
  return { nodes, url: hostsOf(...nodes), leaders };
}
