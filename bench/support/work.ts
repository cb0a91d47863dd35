import type { Fault } from '../../test/sandbox/contract.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Stamp } from './fakes.ts';
import type { FloorTask } from './floor.ts';
import type { Entry } from './sdk/write.ts';
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

/** Writes the same entries in the bare loop, with a worker's concurrency. Returns milliseconds to the last answer. */
export async function pushBare(stage: Stage, scene: Scene, target: Target): Promise<number> {
  return runBare(stage, {
    type: target.type,
    settings: [target.settings],
    entries: await entriesOf(scene, [target.id]),
    concurrency: 16,
  });
}

/** Runs a bare loop. Returns milliseconds from its first call to the answer of its last. */
export async function runBare(stage: Stage, task: FloorTask): Promise<number> {
  const { begun } = await stage.floor.run(task);
  const { stamps } = await stage.fakes.take(task.type);
  // Fails if the loop left calls out: then it would be no valid floor.
  return lastWriteAt(task.type, stamps, task.entries.length) - (begun[0] ?? Number.NaN);
}

/** Names and references of the entries in the stores, ordered by destination. */
export async function entriesOf(scene: Scene, ids: number[]): Promise<Entry[]> {
  const rows: Omit<Entry, 'tags'>[] = await scene.context
    .db('entries')
    .whereIn('destination_id', ids)
    .orderBy(['destination_id', 'id'])
    .select('external_name as name', 'reference');
  // An entry that loses its owner mark would count as foreign from then on.
  const tags = { 'sealift-installation': scene.context.installation.id };
  return rows.map((row) => ({ ...row, tags }));
}

/** From now on the store waits this long before it answers. */
export function slowDown(stage: Stage, type: string, delayMs: number): Promise<void> {
  const fault: Fault = { kind: 'slow', delayMs };
  return stage.fakes.addFault(type, fault);
}
