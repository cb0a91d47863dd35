import { orNull } from '../../../libs/connector/errors.ts';
import { secretPath, type Tools } from './tools.ts';

/** Deletes a secret with all its versions, for good; one that is gone already counts as deleted. */
export async function deleteSecret(tools: Tools, name: string): Promise<void> {
  const request = { name: secretPath(tools, name) };
  await orNull(tools.invoke('DeleteSecret', (client, options) => client.deleteSecret(request, options)));
}
