import type { Destination } from '../../../../libs/connector/contract.ts';
import { externalName } from '../../../../libs/connector/names.ts';
import { checkTemplate } from '../../../../libs/connector/template.ts';
import { sourceValues, type SourceValue } from '../../../../libs/connector/source-values.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import { unseal } from '../../../../libs/crypto/seal.ts';
import { badRequest, conflict, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { findLiveVersion } from '../../../../libs/store/associations/source-version.ts';
import type { NameHolder, WantedEntry } from '../../../../libs/store/associations/entries.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import type { Mount } from '../../../../libs/store/secrets/mounts.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedSecret } from './common.ts';

/** Syncing passes a secret on, so a caller who links it must have the right to read it. Throws 403. */
export function requireReadable({ may }: ApiRequest, { mount, path }: NamedSecret): void {
  if (may(`${mount}/data/${path}`, 'read')) return;
  throw permissionDenied(`permission denied to read the content of the secret ${path} in mount ${mount}`);
}

/** Says that a secret has nothing that could be synced. */
export function noLiveVersion(mount: Mount, path: string): string {
  return `there is no secret ${path} with a live version in mount ${mount.path}/`;
}

/**
 * What the highest live version of a secret would write, entry by entry. No change of the secret commits before the
 * transaction does. Throws 400 if there is no such version.
 */
export async function readSource(
  transaction: Database,
  request: ApiRequest,
  source: { mount: Mount; path: string; granularity: DestinationRow['granularity'] },
): Promise<SourceValue[]> {
  const { mount, path } = source;
  const live = await findLiveVersion(transaction, { mountId: mount.id, path }, { hold: true });
  if (!live) throw badRequest(noLiveVersion(mount, path));
  const identity = `secret_versions/${live.secret_id}/${live.version}`;
  const json = unseal(request.services.keyring, live.sealed, identity).toString();
  return sourceValues(json, source.granularity);
}

/** Throws 400 for keys to decide about that have no entry of their own. */
export function requireKeys(
  keys: string[] | undefined,
  {
    path,
    values,
    granularity,
  }: { path: string; values: SourceValue[]; granularity: DestinationRow['granularity'] },
): void {
  if (!keys) return;
  if (granularity === 'secret-path')
    throw badRequest('keys: the destination writes the whole secret as one entry; leave keys out');
  const known = new Set(values.map(({ subKey }) => subKey));
  const unknown = keys.find((key) => !known.has(key));
  if (unknown !== undefined) throw badRequest(`keys: the secret ${path} has no key ${unknown.slice(0, 100)}`);
}

/**
 * The external names of a secret's entries. Throws 400 for a name that the store would refuse, and 409 if two keys get
 * the same name.
 */
export function nameEntries(
  request: ApiRequest,
  parts: {
    type: Destination;
    row: DestinationRow;
    mount: Mount;
    path: string;
    values: SourceValue[];
    /** Its own template; null: that of the destination applies. */
    template: string | null;
  },
): WantedEntry[] {
  const { type, row, mount, path, values } = parts;
  const template = parts.template ?? row.secret_name_template;
  const taken = new Map<string, string>();
  return values.map(({ subKey }) => {
    const named = externalName({
      type,
      destination: { name: row.name, template },
      namespace: request.namespace,
      mount,
      secretPath: path,
      subKey,
    });
    const about =
      subKey === '' ? `the secret ${path}` : `the key ${subKey.slice(0, 100)} of the secret ${path}`;
    if ('fault' in named) throw badRequest(`${about} cannot be synced: ${named.fault}`);
    const other = taken.get(named.nameKey);
    if (other !== undefined) {
      throw conflict(
        `the keys ${other} and ${subKey} of the secret ${path} would both be written as ${named.name}`,
      );
    }
    taken.set(named.nameKey, subKey);
    return { subKey, ...named };
  });
}

/** The own template in a request; empty: that of the destination. Throws 400 if it could not work there. */
export function ownTemplateOf(
  { secret_name_template: template }: { secret_name_template?: string | undefined },
  { granularity }: Pick<DestinationRow, 'granularity'>,
): string | undefined {
  const fault = template ? checkTemplate(template, granularity) : null;
  if (fault !== null) throw badRequest(`secret_name_template: ${fault}`);
  return template;
}

/** Says who holds an external name, as far as the caller may know. */
export function describeHolder({ namespace, may }: ApiRequest, holder: NameHolder): string {
  const { external_name: name, mount, secret_path: path, type, destination, removing } = holder;
  const isSeen = holder.namespace_id === namespace.id && may(`${mount}/data/${path}`, 'read');
  if (!isSeen) return `the external name ${name} is used by another association`;
  const state = removing ? ', which is being removed' : '';
  return `the external name ${name} is used by the secret ${path} of mount ${mount}/ at ${type}/${destination}${state}`;
}
