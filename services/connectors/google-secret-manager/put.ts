import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { afterEffect, ConnectorError } from '../../../libs/connector/errors.ts';
import { hasCode, isMissing } from './outcomes.ts';
import { withOwnerLabel } from './owner-label.ts';
import { toReference } from './reference.ts';
import { projectPath, type Tools } from './tools.ts';
import { addVersion, destroyOlder, readLatest } from './versions.ts';

/** A new entry is two calls, as the store demands; a known one is one, or more where older versions are to go. */
export async function putEntry(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  if (entry.value === '')
    throw new ConnectorError({
      kind: 'client',
      code: 'value_empty',
      final: true,
      message: 'The value is empty, and Google Secret Manager holds no empty values.',
    });
  return entry.expect === 'absent' ? create(tools, entry, signal) : update(tools, entry, signal);
}

// What is left where the second call fails bears our mark and has no version: `read` shows it so, and an update ends it.
async function create(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  const { name, value, tags } = entry;
  await createSecret(tools, name, tags, signal);
  try {
    const version = await afterEffect(() => addVersion(tools, name, value, signal));
    return { reference: toReference(tools.projectId, version, version === 1) };
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ConnectorError({
      kind: 'external',
      code: 'not_visible_yet',
      message: 'The secret was just created and is not to be seen yet; its value is written later.',
      retryAfterMs: 1000,
    });
  }
}

/** Creates a secret without a version, with our mark. */
export async function createSecret(
  tools: Tools,
  name: string,
  tags: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const locations = tools.settings.replication_locations ?? [];
  await tools.invoke('CreateSecret', signal, (client, options) =>
    client.createSecret(
      {
        parent: projectPath(tools),
        secretId: name,
        secret: {
          labels: withOwnerLabel(tags, tools.installation),
          replication:
            locations.length === 0
              ? { automatic: {} }
              : { userManaged: { replicas: locations.map((location) => ({ location })) } },
        },
      },
      options,
    ),
  );
}

async function update(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<Written> {
  const { name, token, reference } = entry;
  const { unsettled, settings } = tools;
  const version = (await findWritten(tools, entry, signal)) ?? (await write(tools, entry, signal));
  if (settings.destroy_old_versions) {
    // The value is in place: a repeat after a failure only goes on with destroying.
    unsettled.note(name, { token, version });
    await afterEffect(() => destroyOlder(tools, { name, version, reference }, signal));
  }
  unsettled.settle(name);
  return { reference: toReference(tools.projectId, version, settings.destroy_old_versions === true) };
}

// Null unless the same write was begun before in this session, and its version is there.
async function findWritten(tools: Tools, entry: PutEntry, signal: AbortSignal): Promise<number | null> {
  const doubt = tools.unsettled.find(entry.name, entry.token);
  if (!doubt) return null;
  if (doubt.version !== null) return doubt.version;
  try {
    const latest = await readLatest(tools, entry.name, signal);
    return latest?.value === entry.value ? latest.version : null;
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return null;
    throw error;
  }
}

async function write(tools: Tools, { name, value, token }: PutEntry, signal: AbortSignal): Promise<number> {
  try {
    return await addVersion(tools, name, value, signal);
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'external')
      tools.unsettled.note(name, { token, version: null });
    throw error;
  }
}
