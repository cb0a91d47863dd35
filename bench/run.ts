import { parseArgs } from 'node:util';
import { dropDatabases } from '../test/support/database.ts';
import { startInfrastructure } from '../test/support/infrastructure.ts';
import { measures } from './measures/index.ts';
import { startFakes } from './support/fakes.ts';
import { startFloor } from './floor/floor.ts';
import { killServices } from './support/installation.ts';
import { describeMachine } from './support/machine.ts';
import { describeRun, publish, type Published } from './support/publish.ts';
import type { Stage } from './support/stage.ts';
import { formatTable } from './support/table.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean', default: false } },
});
const chosen = measures.filter(({ name }) => !options.only || options.only.includes(name));
if (chosen.length === 0) throw new Error(`--only knows ${measures.map(({ name }) => name).join(', ')}`);

const started = performance.now();
const servers = await startInfrastructure();
const fakes = await startFakes();
const floor = await startFloor(fakes);
const stage: Stage = {
  quick: options.quick,
  fakes,
  floor,
  rounds: options.quick ? 3 : 5,
  say: (text) => process.stderr.write(`  ${text}\n`),
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void killServices()
      .then(() => servers.stop())
      .finally(() => process.exit(130));
  });
}
const published: Published[] = [];
const failed: string[] = [];
try {
  for (const measure of chosen) {
    const begun = performance.now();
    process.stderr.write(`${measure.name} …\n`);
    try {
      const run = describeRun();
      published.push({ name: measure.name, ...run, rows: await measure.run(stage) });
    } catch (error) {
      // A failed measure does not make the other figures worthless.
      failed.push(measure.name);
      process.stderr.write(
        `  ${measure.name} failed: ${error instanceof Error ? error.stack : String(error)}\n`,
      );
    }
    process.stderr.write(`${measure.name}: ${Math.round((performance.now() - begun) / 1000)} s\n`);
  }
} finally {
  await floor.stop();
  await fakes.stop();
  await dropDatabases();
  await servers.stop();
}

process.stdout.write(`${formatTable(published.flatMap(({ rows }) => rows))}\n\n`);
process.stdout.write(`${describeMachine()}, ${Math.round((performance.now() - started) / 1000)} s\n`);
if (!options.quick)
  publish(
    published,
    measures.map(({ name }) => name),
  );
process.exitCode = failed.length > 0 ? 1 : 0;
