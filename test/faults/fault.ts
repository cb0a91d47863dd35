import type { Random } from './random.ts';
import type { World } from './world.ts';

/**
 * A fault: `strike` breaks something, keeps it broken for a moment, repairs it, and then resolves. It takes back only what
 * it did, because the rest must recover by itself.
 */
export type Fault = { name: string; strike: (world: World, random: Random) => Promise<unknown> };

/** The system did not recover in time. This is a finding, unlike every other error of a run. */
export class RecoveryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RecoveryError';
  }
}

/** A fault could not be made or taken back. This says nothing about the system. */
export class FaultError extends Error {
  constructor(name: string, cause: unknown) {
    super(`the fault "${name}" could not be made`, { cause });
    this.name = 'FaultError';
  }
}

/** Strikes with several faults at once. Resolves when all of them have ended. */
export function combine(faults: Fault[]): Fault {
  return {
    name: faults.map(({ name }) => name).join(' + '),
    strike: async (world, random) => {
      const ended = await Promise.allSettled(faults.map((fault) => strikeOne(fault, world, random)));
      const failed = ended.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

async function strikeOne(fault: Fault, world: World, random: Random): Promise<void> {
  try {
    await fault.strike(world, random);
  } catch (error) {
    const isNamed = error instanceof RecoveryError || error instanceof FaultError;
    throw isNamed ? error : new FaultError(fault.name, error);
  }
}
