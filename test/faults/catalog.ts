import type { Fault } from './fault.ts';
import { brokerFaults } from './faults/broker.ts';
import { databaseFaults } from './faults/database.ts';
import { networkFaults } from './faults/network.ts';
import { operatorFaults } from './faults/operator.ts';
import { clockJumps, processFaults, rollingRestart } from './faults/processes.ts';
import { storeFaults } from './faults/stores.ts';
import type { Random } from './random.ts';

const others: Fault[] = [
  ...processFaults,
  ...operatorFaults,
  ...databaseFaults,
  ...brokerFaults,
  ...networkFaults,
  ...storeFaults,
];

/** All faults that need no cluster of servers. */
export const catalog: Fault[] = [rollingRestart, ...others];

/** All faults and further ones in random order. The rolling restart comes first, while nothing else has broken anything. */
export function shuffleFaults(random: Random, further: Fault[] = []): Fault[] {
  return [rollingRestart, ...random.shuffle([...others, ...further])];
}

/**
 * All faults of a world in one process, in random order. No rolling restart: one process does not answer while it restarts.
 */
export function shuffleOneProcessFaults(random: Random, further: Fault[]): Fault[] {
  return random.shuffle([...others.filter((fault) => fault !== clockJumps), ...further]);
}

/** The faults whose names begin with these texts, in this order. Fails for a text that matches none. */
export function chooseFaults(names: string[], further: Fault[] = []): Fault[] {
  return names.map((name) => {
    const found = [...catalog, ...further].find((fault) => fault.name.startsWith(name));
    if (!found) throw new Error(`there is no fault ${name}`);
    return found;
  });
}
