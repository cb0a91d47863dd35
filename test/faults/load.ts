import pLimit from 'p-limit';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import type { Caller } from './caller.ts';

/** The size of the load. Each destination is associated with each secret. */
export type Load = {
  caller: Caller;
  fake: Fake;
  destinations: number;
  secrets: number;
  /** The highest memory of each kind of process so far, in MB, if processes are watched. */
  memory?: () => Record<string, number>;
  say: (line: string) => void;
};

/** The measurements. `tenths`: milliseconds that each tenth of the queue took to drain. */
export type LoadFigures = {
  associations: number;
  queuedMs: number;
  /** Milliseconds that each tenth of the queue took to fill. */
  filledTenths: number[];
  drainedMs: number;
  tenths: number[];
  fanOutMs: number;
  /** Entries with a wrong value at the end. */
  wrong: number;
  memory: { queued: Record<string, number>; drained: Record<string, number> };
};

const TYPE = 'cloud1-sm';
const WIDTH = 24;
const LIMIT_MS = 30 * 60_000;

/** Fills a queue while syncing is disabled, drains it, then changes one secret that all destinations share. */
export async function runLoad(load: Load): Promise<LoadFigures> {
  const { fake, say } = load;
  const associations = load.destinations * load.secrets;
  const memory = load.memory ?? (() => ({}));
  await expectOk(load, 'PATCH', '/v1/sys/sync/config', { disabled: true, queue_capacity: associations + 1 });
  await createAll(load);
  const queuedFrom = Date.now();
  const filledTenths = await linkAll(load);
  const queuedMs = Date.now() - queuedFrom;
  const queued = memory();
  say(`${associations} associations wait after ${queuedMs} ms`);

  const drainedFrom = Date.now();
  await expectOk(load, 'PATCH', '/v1/sys/sync/config', { disabled: false });
  const tenths: number[] = [];
  for (let tenth = 1, before = Date.now(); tenth <= 10; tenth += 1) {
    const wanted = Math.floor((associations * tenth) / 10);
    await eventually(() => countCreated(fake) >= wanted, { limitMs: LIMIT_MS, everyMs: 100 });
    tenths.push(Date.now() - before);
    before = Date.now();
    say(`${wanted} drained`);
  }
  const drainedMs = Date.now() - drainedFrom;
  const drained = memory();

  const fanOutFrom = Date.now();
  await expectOk(load, 'POST', `/v1/secret/data/load/0`, { data: { v: 2 } });
  say(`the secret of all is written after ${Date.now() - fanOutFrom} ms`);
  await eventually(() => countHolding(fake, '-0', '{"v":2}') === load.destinations, {
    limitMs: LIMIT_MS,
    everyMs: 250,
  });
  const fanOutMs = Date.now() - fanOutFrom;
  const right = fake
    .entries()
    .filter(({ name, value }) => value === (name.endsWith('-0') ? '{"v":2}' : '{"v":1}'));
  const wrong = Math.abs(associations - right.length);
  return {
    associations,
    queuedMs,
    filledTenths,
    drainedMs,
    tenths,
    fanOutMs,
    wrong,
    memory: { queued, drained },
  };
}

/** The figures as lines of text. */
export function describeLoad(figures: LoadFigures, load: Load): string[] {
  const cost = (milliseconds: number, count: number): string => ((milliseconds / count) * 1000).toFixed(0);
  const { associations } = figures;
  const byTenth = (tenths: number[]): string =>
    tenths.map((tenth) => cost(tenth, associations / 10)).join(' ');
  return [
    `associations              ${associations} of ${load.destinations} destinations`,
    `queued while disabled in  ${figures.queuedMs} ms, ${cost(figures.queuedMs, associations)} µs each`,
    `µs each by tenth          ${byTenth(figures.filledTenths)}`,
    `drained in                ${figures.drainedMs} ms, ${cost(figures.drainedMs, associations)} µs each`,
    `µs each by tenth          ${byTenth(figures.tenths)}`,
    `one secret to all ${load.destinations} in ${figures.fanOutMs} ms`,
    `wrong in the end          ${figures.wrong}`,
    `peak memory, MB           queued ${JSON.stringify(figures.memory.queued)}, drained ${JSON.stringify(figures.memory.drained)}`,
  ];
}

async function createAll(load: Load): Promise<void> {
  await each(load.secrets, (index) =>
    expectOk(load, 'POST', `/v1/secret/data/load/${index}`, { data: { v: 1 } }),
  );
  await each(load.destinations, (index) => {
    const template = `d${index}-{{ .SecretBaseName }}`;
    const body = { ...cloud1Settings(), secret_name_template: template };
    return expectOk(load, 'POST', pathOf(index), body);
  });
}

async function linkAll(load: Load): Promise<number[]> {
  const body = (secret: number) => ({ mount: 'secret', secret_name: `load/${secret}` });
  const link = (index: number): Promise<void> => {
    const path = `${pathOf(index % load.destinations)}/associations/set`;
    return expectOk(load, 'POST', path, body(Math.floor(index / load.destinations)));
  };
  const all = load.destinations * load.secrets;
  const ends = Array.from({ length: 11 }, (_, tenth) => Math.floor((all * tenth) / 10));
  const times: number[] = [];
  for (const [tenth, start] of ends.slice(0, -1).entries()) {
    const before = Date.now();
    await each((ends[tenth + 1] ?? all) - start, (index) => link(start + index));
    times.push(Date.now() - before);
  }
  return times;
}

async function each(count: number, act: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  await pLimit(WIDTH).map(indexes, act);
}

async function expectOk({ caller }: Load, method: string, path: string, body: unknown): Promise<void> {
  const { answer } = await caller.send(method, path, body);
  if (answer.status !== 200)
    throw new Error(`${method} ${path} was answered ${answer.status} ${answer.text}`);
}

function pathOf(destination: number): string {
  return `/v1/sys/sync/destinations/${TYPE}/d${destination}`;
}

function countCreated(fake: Fake): number {
  return fake.callsOf('CreateSecret').filter(({ status }) => status === 200).length;
}

function countHolding(fake: Fake, ending: string, value: string): number {
  return fake.entries().filter((entry) => entry.name.endsWith(ending) && entry.value === value).length;
}
