import { randomUUID } from 'node:crypto';
import type { Connector, EntryKey, Found, PutEntry, Written } from '../../../libs/connector/contract.ts';
import { type ConnectorError, hasCode } from '../../../libs/connector/errors.ts';
import { mostEntries } from '../../../libs/connector/most-entries.ts';
import { createAccess, type Access } from './access.ts';
import { createClient, type Client } from './client.ts';
import { destination } from './destination.ts';
import { failures } from './failures.ts';
import { createKeyHolder, sealFor, type KeyHolder, type PublicKey } from './public-key.ts';
import { createReach, type Reach } from './reach.ts';
import { fromReference, readTimes, toReference } from './write-times.ts';

// GitHub gives times in whole seconds.
const RESOLUTION_MS = 1000;

type OpenStore = { client: Client; keys: KeyHolder; access: Access; reach: Reach; most: number };

/** The verbs of GitHub's secrets: values are sealed before they go out, and GitHub never returns them. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const client = createClient(settings, context);
    const keys = createKeyHolder(client);
    const access = createAccess(client, keys);
    const reach = createReach(client, settings);
    const most = mostEntries(destination.limits, destination.container(settings, context));
    const store = { client, keys, access, reach, most };
    return {
      check: (signal) => checkAccess(store, signal),
      findOwner: (entry, signal) => findEntry(store, entry, signal),
      read: (entry, signal) => findEntry(store, entry, signal),
      async put(entry, signal) {
        try {
          return await putEntry(store, entry, signal);
        } catch (error) {
          throw await access.explain(error, signal);
        }
      },
      remove: (entry, signal) => removeEntry(store, entry, signal),
      isOutdated: ({ reference }) => reach.isOutdated(reference),
      removedFrom: ({ reference }) => reach.lost(reference),
      close: client.close,
    };
  },
};

async function checkAccess({ client, access }: OpenStore, signal: AbortSignal): Promise<void> {
  await client.signIn(signal);
  await access.prove(signal, { fresh: true });
  // Only a write shows whether the token may write, so we delete a secret that cannot exist.
  const name = `SEALIFT_CHECK_${randomUUID().replaceAll('-', '_').toUpperCase()}`;
  await client.call('DELETE', pathOf(client, name), { signal, expected: [204, 404] });
}

async function findEntry(
  { client, access }: OpenStore,
  { name, reference }: EntryKey,
  signal: AbortSignal,
): Promise<Found | null> {
  const { status, data } = await client.call('GET', pathOf(client, name), { signal, expected: [200, 404] });
  if (status === 404) {
    await access.prove(signal);
    return null;
  }
  if (typeof data['name'] !== 'string') throw failures.fail('unexpected_answer');
  access.note();
  const times = readTimes(data);
  const ours = fromReference(reference);
  const isSame = times && ours && times.createdAt === ours.createdAt;
  return {
    // Without the times of our own write, only the ledger can say whose the secret is.
    owner: !times || !ours ? 'unmarked' : isSame ? 'ours' : 'other',
    value: null,
    changedAt: times ? new Date(times.updatedAt) : null,
    createdAt: times ? new Date(times.createdAt) : null,
    isChangedByOthers: isSame && ours.updatedAt ? times.updatedAt !== ours.updatedAt : null,
    reference: isSame || !times ? reference : toReference({ ...times, updatedAt: null }),
  };
}

// Seals the value with the key in memory, or with a new one if that is outdated, and writes it.
async function putEntry(store: OpenStore, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  const { keys } = store;
  const key = await keys.current(signal);
  try {
    return await send(store, entry, key, signal);
  } catch (error) {
    store.reach.forget();
    if (!hasCode(error, 'request_refused')) throw error;
    // GitHub does not say which fault it found. A second try helps only with another key.
    const renewed = await keys.renew(key.id, signal);
    if (renewed.id === key.id) throw await explainRefusal(store, error, signal);
    return send(store, entry, renewed, signal);
  }
}

async function send(
  store: OpenStore,
  entry: PutEntry,
  key: PublicKey,
  signal: AbortSignal,
): Promise<Written> {
  const { client, access, reach } = store;
  const readers = await reach.fields(signal);
  const body = { encrypted_value: await sealFor(key, entry.value), key_id: key.id, ...readers };
  // 201 for an update means that somebody deleted the secret. It now holds the value again, as wanted.
  const sent = await client.call('PUT', pathOf(client, entry.name), { signal, body, expected: [201, 204] });
  access.note();
  const isNew = sent.status === 201;
  return { reference: await learnTimes(store, entry, { isNew, writtenAt: sent.date }, signal) };
}

// Learns the times that our write left. The write has succeeded: without the times we know less about it, but nothing
// fails.
async function learnTimes(
  { client, reach }: OpenStore,
  { name, reference }: EntryKey,
  write: { isNew: boolean; writtenAt: string | undefined },
  signal: AbortSignal,
): Promise<string | null> {
  const former = write.isNew ? null : fromReference(reference);
  const unknown = toReference(former && { ...former, updatedAt: null }, reach.mark);
  try {
    const { status, data } = await client.call('GET', pathOf(client, name), { signal, expected: [200, 404] });
    const times = status === 200 ? readTimes(data) : undefined;
    // A copy that is older than the write says nothing about it.
    const from = Date.parse(write.writtenAt ?? '') - 2 * RESOLUTION_MS;
    const isStale = !times || Date.parse(times.updatedAt) < from;
    return isStale ? unknown : toReference(times, reach.mark);
  } catch {
    return unknown;
  }
}

async function explainRefusal(
  { client, most }: OpenStore,
  error: ConnectorError,
  signal: AbortSignal,
): Promise<ConnectorError> {
  const { container, secretsPath } = client.place;
  const path = `${secretsPath}?per_page=1`;
  const { data } = await client.call('GET', path, { signal, expected: [200] });
  const { total_count: total } = data;
  if (typeof total !== 'number' || total < most) return error;
  return failures.fail('too_many_entries', {
    message: `${container} already has ${total} secrets, the maximum at GitHub: delete some there.`,
    requestId: error.requestId,
  });
}

async function removeEntry(
  { client, access }: OpenStore,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<void> {
  const { status } = await client.call('DELETE', pathOf(client, name), { signal, expected: [204, 404] });
  if (status === 204) return access.note();
  // If the environment is gone, its secrets are gone too. Anything else that keeps us from the container is thrown.
  await access.isEnvironmentGone(signal);
}

function pathOf({ place }: Client, name: string): string {
  return `${place.secretsPath}/${encodeURIComponent(name)}`;
}
