import { randomUUID } from 'node:crypto';
import { withOwnerTag } from '../../../libs/connector/owner.ts';
import { findMissingPermissions, type Probe } from '../../../libs/connector/probe.ts';
import type { Call } from './client.ts';
import { failures, type Operation, permissions } from './failures.ts';
import type { OpenStore } from './secret-state.ts';

/**
 * Tries the credentials first, then every permission at once, on a name that no secret has. Creates and changes nothing.
 */
export async function checkPermissions({ invoke, settings, installation }: OpenStore): Promise<void> {
  const name = `sealift-check-${randomUUID()}`;
  const version = randomUUID().replaceAll('-', '');
  const tags = withOwnerTag({}, installation);
  const probe = (operation: Operation, call: Call<unknown>): Probe => [
    `secrets/${permissions[operation]}`,
    () => invoke(operation, call),
  ];
  const missing = await findMissingPermissions([
    probe('GetSecret', (client, options) => client.getSecret(name, options)),
    probe('UpdateSecret', (client, options) =>
      client.updateSecretProperties(name, version, { ...options, tags }),
    ),
    probe('DeleteSecret', (client, options) => client.beginDeleteSecret(name, options)),
    probe('RecoverDeletedSecret', (client, options) => client.beginRecoverDeletedSecret(name, options)),
    ...(settings.purge_on_delete === true
      ? [probe('PurgeDeletedSecret', (client, options) => client.purgeDeletedSecret(name, options))]
      : []),
  ]);
  if (missing.length === 0) return;
  throw failures.fail('permission_missing', {
    scope: 'destination',
    message: `The application lacks permissions: allow it ${missing.join(', ')} on the vault (role Key Vault Secrets Officer, or an access policy).`,
  });
}
