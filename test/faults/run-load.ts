import { describeLoad, runLoad, type Load } from './load.ts';
import type { Supervised } from './supervised.ts';
import { startWorld } from './world.ts';

// make faults LOAD=1: loads DESTINATIONS times SECRETS associations, with the settings of production.
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const production = {
  CALL_TIMEOUT: '10000',
  LEASE: '30000',
  SWEEP_INTERVAL: '2000',
  RETRY_MIN: '1000',
  RETRY_MAX: '900000',
  DATABASE_POOL_SIZE: '10',
};
const world = await startWorld({
  apis: 2,
  workers: { 'cloud1-sm': 3 },
  record: false,
  environment: production,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void world.stop().finally(() => process.exit(130)));
const peak = (processes: Supervised[]): number =>
  Math.round(Math.max(...processes.map((one) => one.peakKb())) / 1024);
let wrong = 1;
try {
  const fake = world.stores.get('cloud1-sm')?.fake;
  if (!fake) throw new Error('there is no store');
  fake.reset();
  const load: Load = {
    caller: world.caller,
    fake,
    destinations: Number(process.env['DESTINATIONS'] || 1000),
    secrets: Number(process.env['SECRETS'] || 100),
    memory: () => ({ api: peak(world.processes.apis), worker: peak(world.processes.workers) }),
    say,
  };
  const figures = await runLoad(load);
  for (const line of describeLoad(figures, load)) say(line);
  wrong = figures.wrong;
} finally {
  await world.stop();
}
process.exit(wrong === 0 ? 0 : 1);
