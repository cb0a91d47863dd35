import { setTimeout as sleep } from 'node:timers/promises';
import type { Canary } from './canary.ts';
import type { Experiment } from './experiment.ts';
import type { Fault } from './fault.ts';
import { longPause } from './faults/operator.ts';
import { rollingRestart } from './faults/processes.ts';
import type { Random } from './random.ts';
import type { Report } from './report.ts';
import type { World } from './world.ts';

const SLOWEST_ROLLING_MS = 60_000;
/** Time limit for the canary's value to reach the stores. */
export const CANARY_LIMIT_MS = 300_000;

type Strikes = { world: World; canary: Canary; experiment: Experiment; random: Random; report: Report };

/** Strikes faults one by one, then mixed ones. After each strike, waits until everything works again. */
export async function strikeAll({ world, canary, experiment, random, report }: Strikes): Promise<void> {
  const { faults, limitMs, once = false, say } = experiment;
  let end = Date.now() + limitMs;
  const strike = async (name: string, chosen: Fault[]): Promise<void> => {
    say(name);
    const at = Date.now();
    const { failed } = world.caller.counts;
    const failedBefore = failed.length;
    await Promise.all(chosen.map((fault) => fault.strike(world, random)));
    const recoveredMs = await canary.measure(CANARY_LIMIT_MS);
    if (chosen.length === 1 && chosen[0] === rollingRestart) {
      report.rollingMs = Date.now() - at - recoveredMs;
      // If the restart takes too long, the machine is overloaded and processes cannot answer in time. Then it is not judged.
      if (report.rollingMs < SLOWEST_ROLLING_MS)
        report.failedWhileRolling.push(...failed.slice(failedBefore));
    }
    const silentMs = longestGap(report.model.history, at);
    const changes = [...world.stores.values()].flatMap(({ recorder }) =>
      recorder.changesWithin(at, Date.now()),
    );
    report.faults.push({ name, at, recoveredMs, silentMs });
    say(`  works again after ${recoveredMs} ms; at most ${silentMs} ms without an acknowledgement,`);
    say(`  and ${longestGap(changes, at)} ms without a change of any store`);
    report.unannounced.push(...(await findUnannounced({ world, canary, experiment }, name)));
  };
  for (const fault of faults) {
    if (Date.now() > end && !once) return;
    await strike(fault.name, [fault]);
    if (fault === rollingRestart) end = Date.now() + limitMs;
  }
  if (once || faults.length === 1) return;
  while (Date.now() < end) {
    const picked = [random.pick(faults), random.pick(faults), random.pick(faults)];
    // Often adds the pause: whatever else breaks, no store may be written to during a pause.
    if (random.integer(4) === 0 && faults.includes(longPause)) picked.push(longPause);
    const chosen = [...new Set(picked)].filter(isMixable);
    // Two faults that restart the same server would disturb each other.
    const kinds = new Set<string>();
    const mixed = chosen.filter(({ name }) => {
      const kind = /postgres|database|disk|table/i.test(name)
        ? 'database'
        : /broker|queues/i.test(name)
          ? 'broker'
          : name;
      return kinds.size < kinds.add(kind).size;
    });
    if (mixed.length > 0) await strike(mixed.map(({ name }) => name).join(' + '), mixed);
    await sleep(random.integer(500));
  }
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
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

function isMixable(fault: Fault): boolean {
  return fault !== rollingRestart;
}
