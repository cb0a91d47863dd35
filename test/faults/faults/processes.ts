import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervised } from '../supervised.ts';
import type { Fault } from '../fault.ts';
import { kinds } from '../kinds.ts';
import { allOf } from '../processes.ts';
import type { World } from '../world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Kind = keyof World['processes'];

const NAMES: Record<Kind, string> = {
  apis: 'apis',
  workers: 'workers',
  admin: 'settings and key-maintenance workers',
};

/** Only the worker of fault runs has a clock that jumps. */
export const clockJumps: Fault = {
  name: 'the clock of a worker jumps',
  strike: async ({ processes }, random) => {
    const worker = random.pick(processes.workers.filter(({ name }) => hasAnyClock(name)));
    for (let jumps = 0; jumps < 6; jumps += 1) {
      await setClock(worker, random.integer(2 * HOUR_MS) - HOUR_MS);
      await sleep(random.integer(500));
    }
  },
};

/** Processes end with and without warning: one at a time, all of a kind, and all one after the other. */
export const processFaults: Fault[] = [
  ...(['apis', 'workers', 'admin'] as const).flatMap((kind) =>
    (['SIGKILL', 'SIGTERM'] as const).map((signal) => endOne(kind, signal)),
  ),
  {
    name: 'SIGKILL of all workers at once',
    strike: async ({ processes }) => {
      await Promise.all(processes.workers.map((worker) => worker.kill('SIGKILL')));
      await allReady(processes.workers);
    },
  },
  {
    name: 'SIGKILL of everything at once',
    strike: async ({ processes }) => {
      const all = allOf(processes);
      await Promise.all(all.map((one) => one.kill('SIGKILL')));
      await allReady(all);
    },
  },
  {
    name: 'a storm of SIGKILLs among the workers',
    strike: async ({ processes }, random) => {
      for (let count = 0; count < 5; count += 1) {
        await random.pick(processes.workers).kill('SIGKILL');
        await sleep(random.integer(600));
      }
      await allReady(processes.workers);
    },
  },
  {
    // Its connections stay open and its leases end. Then it continues where it was, and must notice that they have ended.
    name: 'a worker frozen beyond its lease',
    strike: async ({ processes, leaseMs }, random) => {
      const worker = random.pick(processes.workers);
      const thaw = worker.freeze();
      await sleep(leaseMs + 1500);
      thaw();
      await worker.ready();
    },
  },
  clockJumps,
];

/** Restarts every process in turn. At most, a client must reopen a connection. */
export const rollingRestart: Fault = {
  name: 'rolling restart of everything',
  strike: async ({ processes }) => {
    for (const one of allOf(processes)) {
      await one.kill('SIGTERM');
      await sleep(300);
      await one.ready();
    }
  },
};

function hasAnyClock(worker: string): boolean {
  return kinds.some(({ type, anyClock }) => anyClock && worker.startsWith(type));
}

function endOne(kind: Kind, signal: 'SIGKILL' | 'SIGTERM'): Fault {
  return {
    name: `${signal} of one of the ${NAMES[kind]}`,
    strike: async ({ processes }, random) => {
      const one = random.pick(processes[kind]);
      await one.kill(signal);
      await sleep(300);
      await one.ready();
    },
  };
}

// The worker answers with its clock, unless it ends first.
async function setClock(worker: Supervised, skewMs: number): Promise<void> {
  const answer = (await worker.tell({ skewMs })) as { now: number } | undefined;
  if (answer && Math.abs(answer.now - skewMs - Date.now()) > MINUTE_MS)
    throw new Error(`the clock of ${worker.name} does not obey`);
}

async function allReady(processes: Supervised[]): Promise<void> {
  await sleep(300);
  await Promise.all(processes.map((one) => one.ready()));
}
