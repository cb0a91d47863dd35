import { setTimeout as sleep } from 'node:timers/promises';
import { migrations } from '../../../libs/db/migrations/index.ts';
import type { Fault } from '../fault.ts';
import { runCommand } from './command.ts';
import { type Fleet, type Part, PARTS } from './fleet.ts';
import { current, type Version } from './versions.ts';

/** An upgrade under load. */
export type Upgrade = {
  fleet: Fleet;
  former: Version;
  /** How long both versions of a part run at the same time. */
  overlapMs: number;
  say: (line: string) => void;
};

/** Migrates the schema, starts each new part beside the former one, and retires that; then rolls back and upgrades again. */
export function createUpgrade(upgrade: Upgrade): Fault {
  const { former, say } = upgrade;
  return {
    name: `upgrade from ${former.name}`,
    strike: async ({ caller, environment, broken }) => {
      const failedBefore = caller.counts.failed.length;
      const { applied } = await runCommand<{ applied: string[] }>(current, ['migrate'], environment);
      say(`  applied ${applied.join(', ') || 'no step'}`);
      refuseIncompatible(former, applied);
      await replace(upgrade, PARTS, former, current);
      await replace(upgrade, PARTS.toReversed(), current, former);
      await replace(upgrade, PARTS, former, current);
      broken.push(...caller.counts.failed.slice(failedBefore));
    },
  };
}

// From now on, a new process of the former version ends by itself.
function refuseIncompatible(former: Version, applied: string[]): void {
  const steps = migrations.filter(({ name, compatible }) => compatible !== true && applied.includes(name));
  if (steps.length === 0) return;
  const names = steps.map(({ name }) => name).join(', ');
  throw new Error(`${former.name} is not upgraded while it runs: ${names} needs all processes stopped`);
}

async function replace(
  { fleet, overlapMs, say }: Upgrade,
  order: Part[],
  from: Version,
  to: Version,
): Promise<void> {
  for (const part of order) {
    await fleet.start(part, to);
    say(`  ${part} of ${to.name} run beside those of ${from.name}`);
    await sleep(overlapMs);
    await fleet.retire(part, from);
  }
}
