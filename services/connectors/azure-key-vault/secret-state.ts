import type { ConnectorContext, Found } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Invoke } from './client.ts';
import type { Cloud2KvSettings } from './destination.ts';
import { readOwner, type Tags } from './owner-tag.ts';

/** What the verbs work with. */
export type Tools = {
  invoke: Invoke;
  settings: Cloud2KvSettings;
} & Pick<ConnectorContext, 'installation' | 'callTimeoutMs'>;

export type SecretState = {
  owner: Found['owner'];
  value: string;
  version: string;
  tags: Tags;
  changedAt: Date | null;
};

/** Whether an error carries one of these codes of the failure table. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ConnectorError && codes.includes(error.code);
}

/** Whether an error says that there is no such secret. */
export function isMissing(error: unknown): boolean {
  return error instanceof ConnectorError && error.kind === 'missing';
}

/** The current version of a secret. A deleted one is `missing`, a disabled one `secret_disabled`. */
export async function readSecret(
  { invoke, installation }: Tools,
  name: string,
  signal: AbortSignal,
): Promise<SecretState> {
  const { value, properties } = await invoke('GetSecret', signal, (client, options) =>
    client.getSecret(name, options),
  );
  return {
    owner: readOwner(properties.tags, installation),
    value: value ?? '',
    version: properties.version ?? '',
    tags: properties.tags ?? {},
    changedAt: properties.updatedOn ?? null,
  };
}

/** Whose mark a deleted secret bears; null where there is none, or its deletion is still under way. */
export async function readDeletedOwner(
  { invoke, installation }: Tools,
  name: string,
  signal: AbortSignal,
): Promise<Found['owner'] | null> {
  try {
    const { properties } = await invoke('GetDeletedSecret', signal, (client, options) =>
      client.getDeletedSecret(name, options),
    );
    return readOwner(properties.tags, installation);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
