import { startBrokerClusterIn, type BrokerNode } from '../../support/broker-cluster.ts';
import { startTogether, type Brokers, type PairServers } from './pair-servers.ts';

/** Three nodes of RabbitMQ, and a primary of Postgres with a standby. */
export type ClusterServers = PairServers & {
  /** In the order of `brokerHosts`. */
  brokers: BrokerNode[];
  /** The node that leads the most queues, and one of the others. */
  brokerRoles: () => Promise<{ leader: BrokerNode; follower: BrokerNode }>;
};

/** Starts all of them in a folder of their own. The folder is removed even if this process is killed. */
export async function startClusterServers(): Promise<ClusterServers> {
  return startTogether(startBrokers);
}

async function startBrokers(
  directory: string,
): Promise<Brokers & Pick<ClusterServers, 'brokers' | 'brokerRoles'>> {
  const { nodes, leaders } = await startBrokerClusterIn(directory);
  return {
    brokers: nodes,
    brokerHosts: nodes,
    amqpUrl: () => nodes[0]?.url ?? '',
    brokerRoles: async () => {
      const names = [...(await leaders()).values()];
      const ledBy = ({ name }: BrokerNode): number => names.filter((one) => one === name).length;
      const [leader, , follower] = nodes.toSorted((left, right) => ledBy(right) - ledBy(left));
      if (!leader || !follower) throw new Error('there are no three nodes');
      return { leader, follower };
    },
    restartRabbitmq: async (way) => {
      await Promise.all(nodes.map((node) => node[way]()));
      await Promise.all(nodes.map((node) => node.start()));
    },
  };
}
