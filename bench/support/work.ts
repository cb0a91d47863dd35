import type { Fault } from '../../test/sandbox/contract.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Stamp } from './fakes.ts';
import { changeAll, seedAssociations, seedSecrets } from './seed.ts';
import type { Scene, Stage } from './stage.ts';
import { preciseNow } from './statistics.ts';
import { storeOf } from './stores.ts';

const LONGEST_MS = 15 * 60_000;

/** A destination whose store has all its secrets: everything was pushed once. */
export type Target = { id: number; type: string; settings: Record<string, unknown>; paths: string[] };

/** The compiled program of a type's worker, with its argument. */
export function workerProgram(type: string): string {
  return `programs/connectors/main.js ${type}`;
}

/** Writes a destination over the API; returns its row's id. */
export async function createDestination(
  scene: Scene,
  type: string,
  name: string,
  settings: Record<string, unknown>,
): Promise<number> {
  const template = storeOf(type).destination.defaultGranularity === 'secret-key';
  const answer = await scene.client.post(`/v1/sys/sync/destinations/${type}/${name}`, {
    ...settings,
    secret_name_template: template ? '{{ .SecretPath }}_{{ .SecretKey }}' : '{{ .SecretPath }}',
  });
  if (answer.status !== 200) throw new Error(`${type}: ${answer.text}`);
  const row: { id: number } = await scene.context.db('destinations').where({ type, name }).first('id');
  return row.id;
}

/** Creates a destination with this many secrets. Nothing of it is due yet. */
export async function seedTarget(
  stage: Stage,
  scene: Scene,
  type: string,
  count: number,
  options: { name?: string; settings?: Record<string, unknown> } = {},
): Promise<Target> {
  const address = stage.fakes.addresses[type];
  if (!address) throw new Error(`no fake for ${type}`);
  const name = options.name ?? 'bench';
  const settings = options.settings ?? storeOf(type).settings(address);
  const id = await createDestination(scene, type, name, settings);
  const paths = await seedSecrets(scene.context, `${name}-`, count);
  await seedAssociations(scene.context, id, paths);
  return { id, type, settings, paths };
}

/** A round of work: milliseconds from the start to the answer of the last write, and all calls that the store answered. */
export type Round = { milliseconds: number; calls: number };

/** Changes every secret, notifies the workers, and waits until nothing is due. The time starts with the notification. */
export async function pushAll(stage: Stage, scene: Scene, target: Target): Promise<Round> {
  await changeAll(scene.context);
  return measureRound(stage, target.type, () => drain(scene, target));
}

/**
 * Measures the work that `act` causes. The end is the store's own timestamp of the last write: polling the database until
 * nothing is due would notice the end late.
 */
export async function measureRound(stage: Stage, type: string, act: () => Promise<unknown>): Promise<Round> {
  const begun = preciseNow();
  await act();
  const stamps = (await stage.fakes.take(type)).stamps.filter(([time]) => time >= begun);
  return { milliseconds: lastWriteAt(type, stamps) - begun, calls: stamps.length };
}

// Milliseconds since the epoch, with fractions.
function lastWriteAt(type: string, stamps: Stamp[], least = 1): number {
  const { writes } = storeOf(type);
  const taken = stamps.filter(([, operation, , status]) => writes.includes(operation) && status < 300);
  const last = taken.at(-1);
  if (!last || taken.length < least) throw new Error(`${type} took ${taken.length} of ${least} writes`);
  return last[0];
}

/** Notifies the workers of work that is already due, and waits until nothing is due. */
export async function drain(scene: Scene, target: Target): Promise<void> {
  scene.notifyWork(new Map([[target.type, [target.id]]]));
  await waitUntilIdle(scene, target.id);
}

/** Waits until no association of a destination is due or leased. */
export async function waitUntilIdle(scene: Scene, id: number, everyMs = 250): Promise<void> {
  await eventually(
    async () => {
      const query = scene.context.db('associations').where({ destination_id: id }).whereNotNull('due_at');
      return (await query.first('id')) === undefined;
    },
    // Polls rarely: the store's timestamps give the end, and each query takes the database's time.
    { limitMs: LONGEST_MS, everyMs },
  );
}

/**
 * Makes work due and lets the floor push it, with a worker's concurrency unless told otherwise. The workers stand still
 * meanwhile. Returns milliseconds from its first claim to the answer of its last write.
 */
export async function pushBare(
  stage: Stage,
  scene: Scene,
  { type, targets, writes, concurrency = 16, makeDue = () => changeAll(scene.context) }: Bare,
): Promise<number> {
  await stage.fakes.take(type);
  for (const worker of scene.workers) worker.pause();
  try {
    await makeDue();
    const { begun } = await stage.floor.run({
      type,
      destinations: new Map(targets.map(({ id, settings }) => [id, settings])),
      databaseUrl: scene.environment['DATABASE_URL'] ?? '',
      installation: scene.context.installation.id,
      concurrency,
    });
    const { stamps } = await stage.fakes.take(type);
    // Fails if the floor left writes out: then it would be no valid floor.
    return lastWriteAt(type, stamps, writes) - begun;
  } finally {
    for (const worker of scene.workers) worker.resume();
  }
}

type Bare = {
  type: string;
  targets: Pick<Target, 'id' | 'settings'>[];
  /** How many calls write, at least. */
  writes: number;
  concurrency?: number;
  /** By default, every secret changes. */
  makeDue?: () => Promise<unknown>;
};

/** From now on the store waits this long before it answers. */
export function slowDown(stage: Stage, type: string, delayMs: number): Promise<void> {
  const fault: Fault = { kind: 'slow', delayMs };
  return stage.fakes.addFault(type, fault);
}
