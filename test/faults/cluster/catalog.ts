import type { Fault } from '../fault.ts';
import { createBrokerFaults, type BrokerHolds } from './broker-faults.ts';
import { createDatabaseFaults } from './database-faults.ts';
import type { ClusterServers } from './servers.ts';

/** How long faults last, in milliseconds, if not as long as usual. */
export type Holds = { brokers: BrokerHolds; databaseFrozen: number };

/** All faults that need several servers. */
export function createClusterFaults(servers: ClusterServers, holds?: Holds): Fault[] {
  return [
    ...createDatabaseFaults(servers, holds?.databaseFrozen),
    ...createBrokerFaults(servers, holds?.brokers),
  ];
}
