import { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Call } from './client.ts';
import { hasCode, isMissing } from './outcomes.ts';
import { PERMISSIONS, type Operation } from './permissions.ts';
import { createSecret } from './put.ts';
import { removeEntry } from './remove.ts';
import { secretPath, type Tools } from './tools.ts';

type Probe = [operation: Operation, call: Call<unknown>];

// Permission is judged before existence: on a name that nobody has, "not found" means "allowed", and nothing changes.
function createProbes(tools: Tools, name: string): Probe[] {
  const secret = secretPath(tools, name);
  const probes: Probe[] = [
    [
      'AddSecretVersion',
      (client, options) =>
        client.addSecretVersion({ parent: secret, payload: { data: Buffer.from('check') } }, options),
    ],
    [
      'AccessSecretVersion',
      (client, options) => client.accessSecretVersion({ name: `${secret}/versions/latest` }, options),
    ],
    [
      'UpdateSecret',
      (client, options) =>
        client.updateSecret(
          { secret: { name: secret, labels: {} }, updateMask: { paths: ['labels'] } },
          options,
        ),
    ],
    ['DeleteSecret', (client, options) => client.deleteSecret({ name: secret }, options)],
  ];
  if (!tools.settings.destroy_old_versions) return probes;
  return [
    ...probes,
    ['ListSecretVersions', (client, options) => client.listSecretVersions({ parent: secret }, options)],
    [
      'DestroySecretVersion',
      (client, options) => client.destroySecretVersion({ name: `${secret}/versions/1` }, options),
    ],
  ];
}

async function isAllowed(tools: Tools, [operation, call]: Probe, signal: AbortSignal): Promise<boolean> {
  try {
    await tools.invoke(operation, signal, call);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (hasCode(error, 'permission_missing')) return false;
    throw error;
  }
}

// Only a real creation proves that the project, its policies and the locations allow one. It has no version, costs
// nothing, and is tried where it can be deleted again.
async function canCreate(tools: Tools, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await createSecret(tools, name, {}, signal);
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return false;
    throw error;
  }
  await removeEntry(tools, { name, reference: null }, signal);
  return true;
}

/**
 * Tries the credentials first, then every permission, on a name that the destination's template gives to no secret; an empty secret of that name is made and deleted
 * at once.
 */
export async function checkPermissions(tools: Tools, name: string, signal: AbortSignal): Promise<void> {
  const missing: Operation[] = [];
  const first: Probe = [
    'GetSecret',
    (client, options) => client.getSecret({ name: secretPath(tools, name) }, options),
  ];
  if (!(await isAllowed(tools, first, signal))) missing.push('GetSecret');
  const probes = createProbes(tools, name);
  const allowed = await Promise.all(probes.map((probe) => isAllowed(tools, probe, signal)));
  missing.push(...probes.filter((_, index) => !allowed[index]).map(([operation]) => operation));
  if (!missing.includes('DeleteSecret') && !(await canCreate(tools, name, signal)))
    missing.unshift('CreateSecret');
  if (missing.length === 0) return;
  const permissions = missing.map((operation) => PERMISSIONS[operation]).join(', ');
  throw new ConnectorError({
    kind: 'client',
    code: 'permission_missing',
    message: `The service account may not do everything that is needed: grant ${permissions} in the project (tried on the name ${name}).`,
    scope: 'destination',
  });
}
