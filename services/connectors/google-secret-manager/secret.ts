import type { protos } from '@google-cloud/secret-manager';
import type { PutEntry } from '../../../libs/connector/contract.ts';
import { orNull } from '../../../libs/connector/errors.ts';
import { withOwnerTag } from '../../../libs/connector/owner.ts';
import { replicationOf } from './replication.ts';
import { secretPath, type OpenStore } from './open-store.ts';

/** A secret as the store tells it. */
export type Secret = protos.google.cloud.secretmanager.v1.ISecret;

/** Creates a secret without a version, with our mark. */
export async function createSecret(store: OpenStore, name: string, tags: PutEntry['tags']): Promise<void> {
  const secret = { labels: withOwnerTag(tags, store.mark), replication: replicationOf(store.settings) };
  const request = { parent: `projects/${store.projectId}`, secretId: name, secret };
  await store.invoke('CreateSecret', (client, options) => client.createSecret(request, options));
}

/** A secret without its versions. */
export function getSecret(store: OpenStore, name: string): Promise<Secret> {
  return store.invoke('GetSecret', (client, options) =>
    client.getSecret({ name: secretPath(store, name) }, options),
  );
}

/** Deletes a secret with all its versions, for good; one that is gone already counts as deleted. */
export async function deleteSecret(store: OpenStore, name: string): Promise<void> {
  const request = { name: secretPath(store, name) };
  await orNull(store.invoke('DeleteSecret', (client, options) => client.deleteSecret(request, options)));
}
