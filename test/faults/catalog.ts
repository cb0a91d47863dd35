import type { Fault } from './fault.ts';
import { brokerFaults } from './faults/broker.ts';
import { databaseFaults } from './faults/database.ts';
import { networkFaults } from './faults/network.ts';
import { operatorFaults } from './faults/operator.ts';
import { processFaults, rollingRestart } from './faults/processes.ts';
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

/** Every fault that there is with any servers. */
export const catalog: Fault[] = [rollingRestart, ...others];

/** All of them and further ones in an order of chance; the rolling restart comes first, while nothing else has broken anything. */
export function shuffleFaults(random: Random, further: Fault[] = []): Fault[] {
  return [rollingRestart, ...random.shuffle([...others, ...further])];
}

/** Some faults by the beginnings of their names, in that order. Fails for a name that fits none. */
export function chooseFaults(names: string[], further: Fault[] = []): Fault[] {
  return names.map((name) => {
    const found = [...catalog, ...further].find((fault) => fault.name.startsWith(name));
    if (!found) throw new Error(`there is no fault ${name}`);
    return found;
  });
}
