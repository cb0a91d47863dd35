import { eventually } from '../../support/eventually.ts';
import type { Store } from '../checker.ts';
import { RecoveryError, type Fault } from '../fault.ts';
import type { World } from '../world.ts';

const ROUNDS = 3;
const PUSH_LIMIT_MS = 30_000;

/**
 * Where one process is the whole service: it dies three times in the middle of a push. It must be ready again within
 * `upWithinMs` of its end at least once; a machine under load may delay the other two.
 */
export function killInPushes(upWithinMs: number): Fault {
  return {
    name: 'SIGKILL of the one process in the middle of pushes',
    strike: async (world) => {
      const upMs: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) upMs.push(await killInPush(world));
      if (Math.min(...upMs) > upWithinMs)
        throw new RecoveryError(`the one process was ready again only after ${upMs.join(', ')} ms`);
    },
  };
}

// Returns the milliseconds from the end of the process until it is ready again.
async function killInPush({ processes, stores }: World): Promise<number> {
  const [one] = processes.apis;
  if (!one) throw new Error('there is no process');
  const from = Date.now();
  const isWriting = ({ fake, kind }: Store): boolean =>
    fake
      .calls()
      .some(({ at, operation, status }) => at >= from && status === 0 && kind.writes.includes(operation));
  for (const { fake, kind } of stores.values())
    fake.addFault({ kind: 'held', operation: kind.writes, times: 1 });
  await eventually(() => [...stores.values()].some(isWriting), { limitMs: PUSH_LIMIT_MS, everyMs: 10 });
  await one.kill('SIGKILL');
  const ended = Date.now();
  for (const { fake } of stores.values()) fake.clearFaults();
  await one.ready();
  return Date.now() - ended;
}
