import { hasCode } from '../../../libs/connector/errors.ts';
import { findMissingPermissions, type Probe } from '../../../libs/connector/probe.ts';
import type { Call } from './client.ts';
import { failures, type Operation, PERMISSIONS } from './failures.ts';
import { createSecret, deleteSecret } from './secret.ts';
import { secretPath, type OpenStore } from './open-store.ts';

/**
 * Tries the credentials first, then every permission, on a name that the destination's template makes and that no secret
 * has. Creates an empty secret of that name and deletes it at once.
 */
export async function checkPermissions(store: OpenStore, name: string): Promise<void> {
  const missing = await findMissingPermissions(createProbes(store, name));
  const mayDelete = !missing.includes(PERMISSIONS.DeleteSecret);
  if (mayDelete && !(await canCreate(store, name))) missing.unshift(PERMISSIONS.CreateSecret);
  if (missing.length === 0) return;
  const untried = mayDelete
    ? ''
    : ` ${PERMISSIONS.CreateSecret} is needed too, and is tried only where the secret can be deleted again.`;
  const orElse = store.settings.direct_access ? ', or correct project_id' : '';
  throw failures.fail('permission_missing', {
    scope: 'destination',
    message: `${store.holder} lacks permissions: grant ${missing.join(', ')} in the project ${store.projectId}${orElse} (tried on the name ${name}).${untried}`,
  });
}

function createProbes(store: OpenStore, name: string): Probe[] {
  const secret = secretPath(store, name);
  const data = Buffer.from('check');
  const mask = { secret: { name: secret, labels: {} }, updateMask: { paths: ['labels'] } };
  const probe = (operation: Operation, call: Call<unknown>): Probe => [
    PERMISSIONS[operation],
    () => store.invoke(operation, call),
  ];
  const probes = [
    probe('GetSecret', (client, options) => client.getSecret({ name: secret }, options)),
    probe('AddSecretVersion', (client, options) =>
      client.addSecretVersion({ parent: secret, payload: { data } }, options),
    ),
    probe('AccessSecretVersion', (client, options) =>
      client.accessSecretVersion({ name: `${secret}/versions/latest` }, options),
    ),
    probe('UpdateSecret', (client, options) => client.updateSecret(mask, options)),
    probe('DeleteSecret', (client, options) => client.deleteSecret({ name: secret }, options)),
  ];
  if (!store.settings.destroy_old_versions) return probes;
  return [
    ...probes,
    probe('ListSecretVersions', (client, options) => client.listSecretVersions({ parent: secret }, options)),
    probe('DestroySecretVersion', (client, options) =>
      client.destroySecretVersion({ name: `${secret}/versions/1` }, options),
    ),
  ];
}

// Only a real creation proves that the project, its policies and the locations allow one. The secret has no version and
// costs nothing. We create it only if we may delete it again.
async function canCreate(store: OpenStore, name: string): Promise<boolean> {
  try {
    await createSecret(store, name, {});
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return false;
    throw error;
  }
  await deleteSecret(store, name);
  return true;
}
