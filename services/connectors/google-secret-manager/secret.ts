import type { protos } from '@google-cloud/secret-manager';
import type { PutEntry } from '../../../libs/connector/contract.ts';
import { orNull } from '../../../libs/connector/errors.ts';
import { withOwnerTag } from '../../../libs/connector/owner.ts';
import { replicationOf } from './replication.ts';
import { secretPath, type Tools } from './tools.ts';

type Secret = protos.google.cloud.secretmanager.v1.ISecret;

/** Creates a secret without a version, with our mark. */
export async function createSecret(tools: Tools, name: string, tags: PutEntry['tags']): Promise<void> {
  const secret = { labels: withOwnerTag(tags, tools.mark), replication: replicationOf(tools.settings) };
  const request = { parent: `projects/${tools.projectId}`, secretId: name, secret };
  await tools.invoke('CreateSecret', (client, options) => client.createSecret(request, options));
}

/** A secret without its versions. */
export function getSecret(tools: Tools, name: string): Promise<Secret> {
  return tools.invoke('GetSecret', (client, options) =>
    client.getSecret({ name: secretPath(tools, name) }, options),
  );
}

/** Deletes a secret with all its versions, for good; one that is gone already counts as deleted. */
export async function deleteSecret(tools: Tools, name: string): Promise<void> {
  const request = { name: secretPath(tools, name) };
  await orNull(tools.invoke('DeleteSecret', (client, options) => client.deleteSecret(request, options)));
}
