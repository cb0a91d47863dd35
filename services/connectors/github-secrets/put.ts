import type { EntryKey, PutEntry, Written } from '../../../libs/connector/contract.ts';
import { type ConnectorError, hasCode } from '../../../libs/connector/errors.ts';
import type { Access } from './access.ts';
import type { Client } from './client.ts';
import { destination } from './destination.ts';
import { failures } from './failures.ts';
import { type KeyHolder, type PublicKey, sealFor } from './public-key.ts';
import { fromReference, readTimes, toReference } from './write-times.ts';

/** What the verbs work with. */
export type Tools = { client: Client; keys: KeyHolder; access: Access };

// GitHub tells times in whole seconds.
const RESOLUTION_MS = 1000;

/** Seals the value with the key in memory, with a new one where that is outdated, and writes it. */
export async function putEntry(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  const { keys } = tools;
  const key = await keys.current(signal);
  try {
    return await send(tools, entry, key, signal);
  } catch (error) {
    if (!hasCode(error, 'request_refused')) throw error;
    // The store does not say which fault it found; only another key makes a second try worth it.
    const renewed = await keys.renew(key.id, signal);
    if (renewed.id === key.id) throw await explainRefusal(tools, error, signal);
    return send(tools, entry, renewed, signal);
  }
}

/** The path of a secret below the repository. */
export function pathOf({ secretsPath }: Client, name: string): string {
  return `${secretsPath}/${encodeURIComponent(name)}`;
}

async function send(tools: Tools, entry: PutEntry, key: PublicKey, signal: AbortSignal): Promise<Written> {
  const { client, access } = tools;
  const body = { encrypted_value: await sealFor(key, entry.value), key_id: key.id };
  // 201 to an update means that somebody deleted the secret; it holds the value again, which was the aim.
  const sent = await client.call('PUT', pathOf(client, entry.name), { signal, body, expected: [201, 204] });
  access.note();
  const isNew = sent.status === 201;
  return { reference: await learnTimes(client, entry, { isNew, writtenAt: sent.date }, signal) };
}

// What our write left. It has had its effect: where the times cannot be had, less is known of it, and nothing fails.
async function learnTimes(
  client: Client,
  { name, reference }: EntryKey,
  write: { isNew: boolean; writtenAt: string | undefined },
  signal: AbortSignal,
): Promise<string | null> {
  const former = write.isNew ? null : fromReference(reference);
  const unknown = former ? toReference({ ...former, updatedAt: null }) : null;
  try {
    const { status, data } = await client.call('GET', pathOf(client, name), { signal, expected: [200, 404] });
    const times = status === 200 ? readTimes(data) : undefined;
    // A copy that is older than the write tells nothing of it.
    const from = Date.parse(write.writtenAt ?? '') - 2 * RESOLUTION_MS;
    const isStale = !times || Date.parse(times.updatedAt) < from;
    return isStale ? unknown : toReference(times);
  } catch {
    return unknown;
  }
}

async function explainRefusal(
  { client }: Tools,
  error: ConnectorError,
  signal: AbortSignal,
): Promise<ConnectorError> {
  const most = destination.limits.entries ?? Infinity;
  const path = `${client.secretsPath}?per_page=1`;
  const { data } = await client.call('GET', path, { signal, expected: [200] });
  const { total_count: total } = data;
  if (typeof total !== 'number' || total < most) return error;
  return failures.fail('too_many_entries', {
    message: `${client.container} already holds ${total} secrets, the most GitHub allows; delete some there.`,
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
  });
}
