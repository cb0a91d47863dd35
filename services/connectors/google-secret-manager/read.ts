import type { protos } from '@google-cloud/secret-manager';
import type { EntryKey, Found, Owned } from '../../../libs/connector/contract.ts';
import { isMissing } from './outcomes.ts';
import { readOwner } from './owner-label.ts';
import { toReference } from './reference.ts';
import { secretPath, type Tools } from './tools.ts';
import { readLatest } from './versions.ts';

type Secret = protos.google.cloud.secretmanager.v1.ISecret;

/** A secret without its value. Throws kind `missing` where there is none. */
export function getSecret(tools: Tools, name: string, signal: AbortSignal): Promise<Secret> {
  return tools.invoke('GetSecret', signal, (client, options) =>
    client.getSecret({ name: secretPath(tools, name) }, options),
  );
}

/**
 * Owner and newest value. The value is null where there is no version, the newest one is disabled or destroyed, or it is
 * no text: it equals nothing that could be pushed.
 */
export async function readEntry(
  tools: Tools,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<Found | null> {
  try {
    const secret = await getSecret(tools, name, signal);
    const latest = await readLatest(tools, name, signal);
    return {
      owner: readOwner(secret.labels, tools.installation),
      value: latest?.value ?? null,
      changedAt: null,
      reference: latest ? toReference(tools.projectId, latest.version, false) : null,
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Owner alone, without a look at any version. */
export async function findOwner(
  tools: Tools,
  { name }: EntryKey,
  signal: AbortSignal,
): Promise<Owned | null> {
  try {
    const secret = await getSecret(tools, name, signal);
    return { owner: readOwner(secret.labels, tools.installation), reference: null };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
