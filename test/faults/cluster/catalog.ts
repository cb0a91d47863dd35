import type { Fault } from '../fault.ts';
import { createBrokerFaults } from './broker-faults.ts';
import { createDatabaseFaults } from './database-faults.ts';
import type { ClusterServers } from './servers.ts';

/** All faults that need several servers. */
export function createClusterFaults(servers: ClusterServers): Fault[] {
  return [...createDatabaseFaults(servers), ...createBrokerFaults(servers)];
}
