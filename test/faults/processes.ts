import { kindOf } from './kinds.ts';
import { choosePort } from '../../deploy/local/ports.ts';
import type { Supervised } from './supervised.ts';

/** The number of processes of each kind. */
export type ProcessCounts = {
  workers: Record<string, number>;
  apis: number;
  /** Number of settings workers and, also, of key-maintenance workers. Default: none. */
  admin?: number;
  /** One process is all of them, with connectors of the types of `workers`. */
  oneProcess?: boolean;
};

/** `admin`: the settings and key-maintenance workers. If one process is all of them, each list has this one. */
export type Processes = { apis: Supervised[]; workers: Supervised[]; admin: Supervised[] };

type Launch = (one: {
  name: string;
  program: string;
  words?: string[];
  environment: Record<string, string>;
}) => Promise<Supervised>;

/** The initial clock skews of a type's workers, in turn. */
const SKEWS = [0, 3_600_000, -3_600_000];

/** Starts the processes of a world. Returns them with the ports of the APIs. */
export async function launchProcesses(
  options: ProcessCounts,
  launch: Launch,
): Promise<{ processes: Processes; apiPorts: number[] }> {
  if (options.oneProcess) return launchOne(Object.keys(options.workers), launch);
  const processes: Processes = { apis: [], workers: [], admin: [] };
  const apiPorts: number[] = [];
  for (let index = 0; index < options.apis; index += 1) {
    const port = await choosePort(undefined);
    const environment = { PORT: String(port) };
    processes.apis.push(await launch({ name: `api-${index}`, program: 'programs/api/main.js', environment }));
    apiPorts.push(port);
  }
  for (const [type, count] of Object.entries(options.workers)) {
    for (let index = 0; index < count; index += 1) {
      const skewMs = kindOf(type).anyClock ? SKEWS[index % SKEWS.length] : 0;
      const environment = { FAULT_TYPE: type, CLOCK_SKEW_MS: String(skewMs) };
      const program = 'test/faults/worker.js';
      processes.workers.push(await launch({ name: `${type}-${index}`, program, environment }));
    }
  }
  for (let index = 0; index < (options.admin ?? 0); index += 1) {
    for (const kind of ['settings', 'key-maintenance']) {
      const one = { name: `${kind}-${index}`, program: `programs/${kind}/main.js`, environment: {} };
      processes.admin.push(await launch(one));
    }
  }
  return { processes, apiPorts };
}

/** Each process once. */
export function allOf({ apis, workers, admin }: Processes): Supervised[] {
  return [...new Set([...apis, ...workers, ...admin])];
}

async function launchOne(
  types: string[],
  launch: Launch,
): Promise<{ processes: Processes; apiPorts: number[] }> {
  const port = await choosePort(undefined);
  const one = await launch({
    name: 'one-process',
    program: 'programs/cli/main.js',
    words: ['serve', 'all', '--one-process', '--types', types.join(',')],
    environment: { PORT: String(port) },
  });
  return { processes: { apis: [one], workers: [one], admin: [one] }, apiPorts: [port] };
}
