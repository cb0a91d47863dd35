import pg from 'pg';
import { runExperiment } from '../experiment.ts';
import { keepLogs } from '../keep-logs.ts';
import type { Report } from '../report.ts';
import { startWorld } from '../world.ts';
import { runCommand } from './command.ts';
import { createFleet, PARTS, type Sizes } from './fleet.ts';
import { createUpgrade } from './upgrade.ts';
import type { Version } from './versions.ts';

/** The plan of a trial upgrade. The same seed makes the same load. */
export type Plan = {
  former: Version;
  sizes: Sizes;
  seed: number;
  secrets: number;
  overlapMs: number;
  say: (line: string) => void;
};

/** A world in which the former version runs. */
export type Trial = {
  /** Upgrades it under load and judges everything. The report has the findings of both versions. */
  run: () => Promise<Report>;
  /** Copies the logs of all processes and servers to a folder that is not removed. Returns its path. */
  keepLogs: (name: string) => Promise<string>;
  stop: () => Promise<void>;
};

/** Starts the former version on its own schema. Undo: `stop`. */
export async function startTrial(plan: Plan): Promise<Trial> {
  const { former, sizes, seed, secrets, say } = plan;
  const none = Object.keys(sizes.workers).map((type): [string, number] => [type, 0]);
  const world = await startWorld({
    apis: 0,
    workers: Object.fromEntries(none),
    prepare: (_servers, environment) => prepareFormer(former, environment),
  });
  const fleet = createFleet(world, sizes);
  const stop = async (): Promise<void> => {
    await fleet.stop();
    await world.stop();
  };
  try {
    for (const part of PARTS) await fleet.start(part, former);
  } catch (error) {
    await stop();
    throw error;
  }
  say(`${former.name} runs`);
  const faults = [createUpgrade({ ...plan, fleet })];
  return {
    run: () => runExperiment(world, { seed, faults, once: true, limitMs: 0, secrets, pauseMs: 250, say }),
    keepLogs: (name) => keepLogs(world.servers, name),
    stop,
  };
}

async function prepareFormer(former: Version, environment: Record<string, string>): Promise<string> {
  await runCommand(former, ['migrate'], environment);
  const { token } = await runCommand<{ token: string }>(former, ['bootstrap'], environment);
  const client = new pg.Client({ connectionString: environment['DATABASE_URL'] });
  await client.connect();
  try {
    await client.query('INSERT INTO settings (kind, attributes) VALUES ($1, $2)', [
      'general',
      { 'api-rate-limiting-enabled': false },
    ]);
  } finally {
    await client.end();
  }
  return token;
}
