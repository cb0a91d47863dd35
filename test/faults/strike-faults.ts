import { setTimeout as sleep } from 'node:timers/promises';
import type { Canary } from './canary.ts';
import type { Experiment } from './experiment.ts';
import { combine, RecoveryError, type Fault } from './fault.ts';
import { rollingRestart } from './faults/processes.ts';
import { mixFaults } from './mix.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import type { World } from './world.ts';

const SLOWEST_ROLLING_MS = 60_000;
/** Time limit for the canary's value to reach the stores. */
export const CANARY_LIMIT_MS = 300_000;

type Strikes = { world: World; canary: Canary; experiment: Experiment; random: Random; report: Report };

/**
 * Strikes faults one by one, then mixed ones. After each strike, waits until everything works again. If that does not
 * happen in time, this is a finding, and no further fault strikes.
 */
export async function strikeAll(strikes: Strikes): Promise<void> {
  const { world, experiment, random } = strikes;
  const { faults, limitMs, once = false } = experiment;
  try {
    let end = Date.now() + limitMs;
    for (const fault of faults) {
      if (Date.now() > end && !once) return;
      await strike(strikes, fault);
      if (fault === rollingRestart) end = Date.now() + limitMs;
    }
    if (once || faults.length === 1) return;
    while (Date.now() < end) {
      const mixed = mixFaults(random, faults);
      if (mixed) await strike(strikes, mixed);
      await sleep(random.integer(500));
    }
  } catch (error) {
    if (!(error instanceof RecoveryError)) throw error;
    world.broken.push(error.message);
  }
}

async function strike({ world, canary, experiment, random, report }: Strikes, fault: Fault): Promise<void> {
  const { name } = fault;
  const { say } = experiment;
  say(name);
  const startedAt = Date.now();
  const { failed } = world.caller.counts;
  const failedBefore = failed.length;
  await combine([fault]).strike(world, random);
  const recoveredMs = await canary.measure(CANARY_LIMIT_MS);
  if (fault === rollingRestart) {
    report.rollingMs = Date.now() - startedAt - recoveredMs;
    // If the restart takes too long, the machine is overloaded and processes cannot answer in time. Then it is not judged.
    if (report.rollingMs < SLOWEST_ROLLING_MS) report.failedWhileRolling.push(...failed.slice(failedBefore));
  }
  const silentMs = longestGap(report.model.history, startedAt);
  const changes = [...world.stores.values()].flatMap(({ recorder }) =>
    recorder.changesWithin(startedAt, Date.now()),
  );
  report.faults.push({ name, at: startedAt, recoveredMs, silentMs });
  say(`  works again after ${recoveredMs} ms; at most ${silentMs} ms without an acknowledgement,`);
  say(`  and ${longestGap(changes, startedAt)} ms without a change of any store`);
  report.unannounced.push(...(await findUnannounced({ world, canary, experiment }, name)));
}

// Checks that each API notifies the workers of each type, as the sweep would hide a missing notification.
async function findUnannounced(
  { world, canary, experiment }: Pick<Strikes, 'world' | 'canary' | 'experiment'>,
  fault: string,
): Promise<string[]> {
  const { announcedWithinMs: limitMs } = experiment;
  if (limitMs === undefined) return [];
  const unannounced: string[] = [];
  for (const [index, caller] of world.callers.entries()) {
    await canary.writeUntilHeard(caller, limitMs).catch((error: unknown) => {
      unannounced.push(
        `after ${fault} API ${index} announces nothing within ${limitMs} ms: ${String(error)}`,
      );
    });
  }
  return unannounced;
}

function longestGap(events: { at: number }[], from: number): number {
  const after = events.flatMap(({ at }) => (at > from ? [at] : []));
  const times = [from, ...after.toSorted((left, right) => left - right), Date.now()];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
