import type { RecordAnswer } from '../../services/api/contract/associations.ts';
import type { Caller } from './caller.ts';
import type { DestinationModel, Model, SecretModel } from './model.ts';
import type { FaultyFake, Kind } from './kinds.ts';
import type { Recorder } from './recorder.ts';
import { findLostAdministration } from './administration.ts';
import type { Pause } from './syncing.ts';
import { entriesOf, parseName, versionIn } from './values.ts';

/** A store and what the run knows about it. `planted` are the foreign entries, by name. */
export type Store = {
  type: string;
  kind: Kind;
  fake: FaultyFake;
  /** The URL through which the service reaches it. */
  url: string;
  leaseMs: number;
  recorder: Recorder;
  planted: Map<string, string>;
  /** When calls were cut on their way; whether the store saw them, and for which entry they were, is unknown. */
  cutCalls: () => number[];
};

/** What the checks compare. */
export type Scene = { model: Model; stores: Map<string, Store>; caller: Caller };

/** Finds changes that stores accepted while syncing was disabled, after all earlier work must have ended. */
export function findWrittenWhileDisabled(
  stores: Scene['stores'],
  pauses: Pause[],
  underWayMs: number,
): string[] {
  return [...stores.values()].flatMap(({ type, recorder }) =>
    pauses.flatMap(({ from, to }) =>
      recorder
        .changesWithin(from + underWayMs, to)
        .map(
          ({ at, operation, name }) =>
            `${parseName(name)?.secret ?? type}: ${operation} of ${name} was taken ${at - from} ms after syncing was disabled`,
        ),
    ),
  );
}

/** Finds foreign entries that have changed or are gone. */
export function findTouched({ stores }: Scene): string[] {
  return [...stores.values()].flatMap(({ type, fake, planted }) => {
    const found = new Map(fake.entries().map((entry) => [entry.name, entry.value]));
    return [...planted].flatMap(([name, value]) =>
      found.get(name) === value ? [] : [`${type}: the unmanaged entry ${name} was touched`],
    );
  });
}

/**
 * Reads the statuses of a destination. Compares each `SYNCED` with the store's content at that moment and with what the
 * model wanted then. A version or a name that an acknowledged change has replaced no longer counts as synced.
 */
export async function findFalseSynced(scene: Scene, destination: DestinationModel): Promise<string[]> {
  const { recorder } = storeOf(scene, destination);
  const from = Date.now();
  const records = await readRecords(scene, destination);
  const to = Date.now();
  return records.flatMap((record) => {
    const parts = parseName(record.external_name);
    if (record.sync_status !== 'SYNCED' || !parts) return [];
    const secret = scene.model.secrets.find(({ path }) => path === record.secret_name);
    const isWanted =
      destination.rounds.during(from, to).includes(parts.round) &&
      secret?.wanted.during(from, to).includes(record.synced_version) === true &&
      secret.associations(destination.name).during(from, to).includes(true);
    if (!isWanted)
      return [
        `${record.secret_name}: ${record.external_name} was called SYNCED at version ${record.synced_version}, which had been overtaken`,
      ];
    const values = recorder.heldWithin(record.external_name, from, to);
    if (values.some((value) => value !== null && versionIn(value) === record.synced_version)) return [];
    const versions = values.map((value) => (value === null ? 'nothing' : versionIn(value))).join(', ');
    return [
      `${record.secret_name}: ${record.external_name} was called SYNCED at version ${record.synced_version} while the store held ${versions}`,
    ];
  });
}

/** Finds all differences of stores and statuses from the model, one line each; a line begins with the secret. */
export async function findDifferences(scene: Scene): Promise<string[]> {
  const faults: string[] = [];
  const expected = new Map([...scene.stores.keys()].map((type) => [type, new Map<string, string>()]));
  for (const destination of scene.model.destinations) {
    const records = await readRecords(scene, destination);
    const tags = tagsByName(storeOf(scene, destination).fake);
    for (const secret of scene.model.secrets) {
      const mine = records.filter((record) => record.secret_name === secret.path);
      const version = secret.desired();
      const isAssociated = secret.associations(destination.name).acknowledged();
      const wanted = new Map<string, string>();
      if (isAssociated && version !== null) {
        const { type, name, round } = destination;
        for (const [entry, value] of entriesOf(type, name, round, secret.path, version))
          wanted.set(entry, value);
      }
      faults.push(
        ...judgeRecords(secret, destination, mine, { isAssociated, version, names: [...wanted.keys()] }),
      );
      for (const [entry, value] of wanted) {
        expected.get(destination.type)?.set(entry, value);
        if (
          storeOf(scene, destination).kind.hasTags &&
          destination.round > 0 &&
          tags.get(entry) !== String(destination.round)
        )
          faults.push(`${secret.path}: ${entry} bears the tag ${tags.get(entry)}, not ${destination.round}`);
      }
    }
  }
  faults.push(...(await findLostAdministration(scene.caller, scene.model.admin)));
  for (const [type, store] of scene.stores)
    faults.push(...judgeContent(store, expected.get(type) ?? new Map()));
  return faults;
}

function judgeRecords(
  secret: SecretModel,
  destination: DestinationModel,
  records: RecordAnswer[],
  wanted: { isAssociated: boolean; version: number | null; names: string[] },
): string[] {
  const about = `${secret.path}: its records at ${destination.name}`;
  if (!wanted.isAssociated)
    return records.length === 0 ? [] : [`${about} remain: ${JSON.stringify(records)}`];
  if (records.length === 0) return [`${about} are missing`];
  if (wanted.version === null) {
    const isQuiet = records.every((record) => record.sync_status === 'UNSYNCED');
    return isQuiet ? [] : [`${about} should be UNSYNCED: ${JSON.stringify(records)}`];
  }
  const isRight =
    records.length === wanted.names.length &&
    records.every(
      (record) =>
        record.sync_status === 'SYNCED' &&
        record.synced_version === wanted.version &&
        wanted.names.includes(record.external_name),
    );
  return isRight
    ? []
    : [`${about} should be SYNCED at version ${wanted.version}: ${JSON.stringify(records)}`];
}

function judgeContent({ type, fake, planted }: Store, expected: Map<string, string>): string[] {
  const faults: string[] = [];
  const found = new Map(fake.entries().map((entry) => [entry.name, entry.value]));
  for (const [name, value] of expected) {
    if (found.get(name) === value) continue;
    faults.push(`${parseName(name)?.secret}: ${type} ${name} holds ${found.get(name)}, not ${value}`);
  }
  for (const name of found.keys()) {
    if (expected.has(name) || planted.has(name) || isCanary(name)) continue;
    faults.push(`${parseName(name)?.secret}: ${type} ${name} is there and should not be`);
  }
  return faults;
}

async function readRecords(scene: Scene, { type, name }: DestinationModel): Promise<RecordAnswer[]> {
  const path = `/v1/sys/sync/destinations/${type}/${name}/associations?limit=1000`;
  const { answer } = await scene.caller.send('GET', path);
  return Object.values(answer.body?.data?.associated_secrets ?? {});
}

function tagsByName(fake: FaultyFake): Map<string, string | undefined> {
  return new Map(fake.entries().map((entry) => [entry.name, entry.tags?.['round']]));
}

function storeOf(scene: Scene, { type }: DestinationModel): Store {
  const store = scene.stores.get(type);
  if (!store) throw new Error(`there is no store of type ${type}`);
  return store;
}

function isCanary(name: string): boolean {
  return /^canary/i.test(name);
}
