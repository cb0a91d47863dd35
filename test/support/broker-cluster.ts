import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { choosePort } from '../../deploy/local/ports.ts';
import { startPortMapper, startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { makePrivateFolder } from './private-folder.ts';
import { hostsOf } from './postgres-pair.ts';
import { signalServer } from './process-group.ts';
import { findLeaders } from './queue-leaders.ts';

/** One node, at a fixed address. */
export type BrokerNode = {
  url: string;
  port: number;
  /** The node's name, as RabbitMQ reports the leader of a queue. */
  name: string;
  /** Kills it like a failure of its machine. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Suspends it, with its connections open, until `thaw`. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
};

/** Three nodes of RabbitMQ; `url` names them all. Undo: `discard`. */
export type BrokerCluster = {
  nodes: BrokerNode[];
  url: string;
  /** The name of each queue's leader node, by queue name. Throws if no node answers. */
  leaders: () => Promise<Map<string, string>>;
  discard: () => Promise<void>;
};

/** Starts all nodes on this machine, in a folder of their own. */
export async function startBrokerCluster(): Promise<BrokerCluster> {
  const folder = makePrivateFolder('clusters');
  try {
    return { ...(await startBrokerClusterIn(folder.directory)), discard: folder.discard };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** The same, in a folder that the caller removes. */
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
    for (const index of peers.keys()) {
      const found = await findLeaders(join(directory, `rabbitmq-${index + 1}`)).catch(() => undefined);
      if (found) return found;
    }
    throw new Error('no node of RabbitMQ tells who leads its queues');
  };
  return { nodes, url: hostsOf(...nodes), leaders };
}
