import type { ConnectorContext, Found } from '../../../libs/connector/contract.ts';
import { orNull } from '../../../libs/connector/errors.ts';
import { ownerOf, type Tags } from '../../../libs/connector/owner.ts';
import type { Call } from './client.ts';
import type { Cloud2KvSettings } from './destination.ts';
import type { Operation } from './failures.ts';

/** The store as one verb uses it; `signal` ends the verb and every call of `invoke`. */
export type OpenStore = {
  invoke: <Output>(operation: Operation, call: Call<Output>) => Promise<Output>;
  signal: AbortSignal;
  settings: Cloud2KvSettings;
} & Pick<ConnectorContext, 'installation' | 'callTimeoutMs'>;

export type SecretState = {
  owner: Found['owner'];
  value: string;
  version: string;
  tags: Tags;
  changedAt: Date | null;
};

/** The current version of a secret. A deleted one is `missing`, a disabled one `precondition_failed`. */
export async function readSecret({ invoke, installation }: OpenStore, name: string): Promise<SecretState> {
  const { value, properties } = await invoke('GetSecret', (client, options) =>
    client.getSecret(name, options),
  );
  return {
    owner: ownerOf(properties.tags, installation),
    value: value ?? '',
    version: properties.version ?? '',
    tags: properties.tags ?? {},
    changedAt: properties.updatedOn ?? null,
  };
}

/** The owner that a deleted secret's mark names; null if there is no such secret, or if the vault is still deleting it. */
export async function readDeletedOwner(store: OpenStore, name: string): Promise<Found['owner'] | null> {
  const deleted = await orNull(
    store.invoke('GetDeletedSecret', (client, options) => client.getDeletedSecret(name, options)),
  );
  return deleted && ownerOf(deleted.properties.tags, store.installation);
}
