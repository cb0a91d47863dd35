import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerNode } from '../../support/broker-cluster.ts';
import type { Fault } from '../fault.ts';
import type { Random } from '../random.ts';
import type { ClusterServers } from './servers.ts';

/** For how many milliseconds a node is dead, frozen or silent. */
export type BrokerHolds = { dead: number; frozen: number; silent: number };

const HOLDS: BrokerHolds = {
  dead: 3000,
  // After a minute nodes take each other for dead, and a suspended node then needs a restart by hand.
  frozen: 20_000,
  // Longer than two heartbeats and their margin, so all clients of the node disconnect.
  silent: 35_000,
};

type Role = 'leader' | 'follower';

/** All faults of the nodes of a RabbitMQ cluster. */
export function createBrokerFaults(servers: ClusterServers, holds: BrokerHolds = HOLDS): Fault[] {
  const during = (
    name: string,
    choose: (random: Random) => Promise<BrokerNode[]>,
    act: { begin: (node: BrokerNode) => Promise<void>; end: (node: BrokerNode) => Promise<void> },
    holdMs: number,
  ): Fault => ({
    name,
    strike: async (_world, random) => {
      const nodes = await choose(random);
      await Promise.all(nodes.map(act.begin));
      await sleep(holdMs);
      await Promise.all(nodes.map(act.end));
    },
  });
  const death = { begin: (node: BrokerNode) => node.kill(), end: (node: BrokerNode) => node.start() };
  const standstill = { begin: (node: BrokerNode) => node.freeze(), end: (node: BrokerNode) => node.thaw() };
  const one = (role: Role) => async (): Promise<BrokerNode[]> => [(await servers.brokerRoles())[role]];
  const two = async (random: Random): Promise<BrokerNode[]> => random.shuffle(servers.brokers).slice(0, 2);
  return [
    during('broker leader killed', one('leader'), death, holds.dead),
    during('broker follower killed', one('follower'), death, holds.dead),
    during('broker leader frozen', one('leader'), standstill, holds.frozen),
    during('broker follower frozen', one('follower'), standstill, holds.frozen),
    during('broker majority killed at once', two, death, holds.dead),
    {
      name: 'broker node cut off from its clients without a word',
      strike: async ({ proxies }) => {
        const { leader } = await servers.brokerRoles();
        const proxy = proxies.rabbitmq[servers.brokers.indexOf(leader)];
        proxy?.stall(true);
        await sleep(holds.silent);
        proxy?.stall(false);
      },
    },
  ];
}
