import { randomUUID } from 'node:crypto';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Call } from './client.ts';
import { type Operation, permissions } from './failures.ts';
import { withOwnerTag } from './owner-tag.ts';
import { hasCode, isMissing, type Tools } from './secret-state.ts';

type Probe = [operation: Operation, call: Call<unknown>];

// Permission is judged before existence: on a name that nobody has, "not found" means "allowed", and nothing changes.
function createProbes(name: string, tools: Tools): Probe[] {
  const version = randomUUID().replaceAll('-', '');
  const tags = withOwnerTag({}, tools.installation);
  const probes: Probe[] = [
    ['UpdateSecret', (client, options) => client.updateSecretProperties(name, version, { ...options, tags })],
    ['DeleteSecret', (client, options) => client.beginDeleteSecret(name, options)],
    ['RecoverDeletedSecret', (client, options) => client.beginRecoverDeletedSecret(name, options)],
  ];
  if (tools.settings.purge_on_delete === true)
    probes.push(['PurgeDeletedSecret', (client, options) => client.purgeDeletedSecret(name, options)]);
  return probes;
}

// Null where the call is allowed.
async function tryOut(tools: Tools, [operation, call]: Probe, signal: AbortSignal): Promise<string | null> {
  try {
    await tools.invoke(operation, signal, call);
    return null;
  } catch (error) {
    if (isMissing(error)) return null;
    if (hasCode(error, 'permission_missing', 'purge_refused')) return `secrets/${permissions[operation]}`;
    throw error;
  }
}

/** Tries the credentials first, then every permission at once, on a name that nobody has. Creates and changes nothing. */
export async function checkPermissions(tools: Tools, signal: AbortSignal): Promise<void> {
  const name = `sealift-check-${randomUUID()}`;
  const first: Probe = ['GetSecret', (client, options) => client.getSecret(name, options)];
  const missing = [
    await tryOut(tools, first, signal),
    ...(await Promise.all(createProbes(name, tools).map((probe) => tryOut(tools, probe, signal)))),
  ].filter((permission) => permission !== null);
  if (missing.length === 0) return;
  throw new ConnectorError({
    kind: 'client',
    code: 'permission_missing',
    message: `The application may not do everything that is needed: allow it ${missing.join(', ')} on the vault (role Key Vault Secrets Officer, or an access policy).`,
    scope: 'destination',
  });
}
