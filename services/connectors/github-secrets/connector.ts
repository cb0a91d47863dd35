import { randomUUID } from 'node:crypto';
import type { Connector, EntryKey, Found } from '../../../libs/connector/contract.ts';
import { createAccess } from './access.ts';
import { createClient, unexpectedBody } from './client.ts';
import type { destination } from './destination.ts';
import { createKeyHolder } from './public-key.ts';
import { pathOf, putEntry, type Tools } from './put.ts';
import { fromReference, readTimes, toReference } from './write-times.ts';

/** The verbs of GitHub Actions secrets: values go in sealed and never come back. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const client = createClient(settings, context);
    const keys = createKeyHolder(client);
    const access = createAccess(client, keys);
    const tools = { client, keys, access };
    return {
      check: (signal) => checkAccess(tools, signal),
      findOwner: (entry, signal) => findEntry(tools, entry, signal),
      read: (entry, signal) => findEntry(tools, entry, signal),
      async put(entry, signal) {
        try {
          return await putEntry(tools, entry, signal);
        } catch (error) {
          throw await access.explain(error, signal);
        }
      },
      remove: (entry, signal) => removeEntry(tools, entry, signal),
      close: client.close,
    };
  },
};

async function checkAccess({ client, access }: Tools, signal: AbortSignal): Promise<void> {
  await access.prove(signal, { fresh: true });
  // Nothing but a write tells whether the token may write: delete what cannot exist.
  const name = `SEALIFT_CHECK_${randomUUID().replaceAll('-', '_').toUpperCase()}`;
  await client.call('DELETE', pathOf(client, name), { signal, expected: [204, 404] });
}

async function findEntry(
  { client, access }: Tools,
  { name, reference }: EntryKey,
  signal: AbortSignal,
): Promise<Found | null> {
  const { status, data } = await client.call('GET', pathOf(client, name), { signal, expected: [200, 404] });
  if (status === 404) {
    await access.prove(signal);
    return null;
  }
  if (typeof data['name'] !== 'string') throw unexpectedBody();
  access.note();
  const times = readTimes(data);
  const ours = fromReference(reference);
  const isSame = times && ours && times.createdAt === ours.createdAt;
  return {
    // Without the times of our own write the ledger alone can say.
    owner: !times || !ours ? 'unmarked' : isSame ? 'ours' : 'other',
    value: null,
    changedAt: times ? new Date(times.updatedAt) : null,
    isChangedByOthers: isSame && ours.updatedAt ? times.updatedAt !== ours.updatedAt : null,
    reference: isSame || !times ? reference : toReference({ ...times, updatedAt: null }),
  };
}

async function removeEntry(
  { client, access }: Tools,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<void> {
  const { status } = await client.call('DELETE', pathOf(client, name), { signal, expected: [204, 404] });
  if (status === 204) return access.note();
  // The secrets of an environment went with it; whatever else keeps us from the container is thrown.
  await access.isEnvironmentGone(signal);
}
