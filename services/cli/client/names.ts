import { CommandError, exitCodes } from '../exit-codes.ts';
import { encodePath, type Client } from './http.ts';

/** A secret: its mount, and its path in the mount; neither has a slash at its ends. */
export type SecretName = { mount: string; path: string };

/** The path of a destination named `type/name`. Throws CommandError 2. */
export function destinationPath(name: string): string {
  const [type, own, ...more] = name.split('/');
  if (!type || !own || more.length > 0) {
    throw new CommandError('usage', 'write a destination as type/name, such as cloud1-sm/prod');
  }
  return `sys/sync/destinations/${encodePath(type, own)}`;
}

/**
 * Splits `mount/path`. The API says where the mount ends, unless `mount` is given. Throws CommandError: 2 for an invalid
 * name, 1 for a mount without versions, 3 for no mount if the caller may list them, otherwise 4.
 */
export async function findSecretName(client: Client, name: string, mount?: string): Promise<SecretName> {
  const path = trim(name);
  if (mount !== undefined) return { mount: trim(mount), path };
  if (path === '') throw new CommandError('usage', 'write a secret as mount/path, such as secret/app/db');
  const { data } = await client
    .call('GET', `sys/internal/ui/mounts/${encodePath(path)}`)
    .catch((error: unknown) => explainMissing(client, path, error));
  const found = trim(String(data['path']));
  const { version } = (data['options'] ?? {}) as { version?: unknown };
  if (String(version) !== '2') {
    throw new CommandError('failed', `the mount ${found}/ is not a KV version 2 mount`);
  }
  return { mount: found, path: path.slice(found.length + 1) };
}

// The API does not tell a missing mount from a missing right. A caller who may read all mounts can be told.
async function explainMissing(client: Client, path: string, refusal: unknown): Promise<never> {
  if (!(refusal instanceof CommandError) || refusal.exitCode !== exitCodes.denied) throw refusal;
  const mounts = await client.call('GET', 'sys/mounts').catch(() => undefined);
  if (!mounts || Object.keys(mounts.data).some((mount) => `${path}/`.startsWith(mount))) throw refusal;
  throw new CommandError('notFound', `no mount of the namespace contains ${path}`);
}

function trim(name: string): string {
  return name.split('/').filter(Boolean).join('/');
}
