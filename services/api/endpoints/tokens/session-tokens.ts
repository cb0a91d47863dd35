import { permissionDenied } from '../../../../libs/errors/request-error.ts';
import { listMountsWithin } from '../../../../libs/store/secrets/mounts.ts';
import { findInSlices } from '../../../../libs/time/slices.ts';
import { capabilitiesBelow, loadCaller } from '../../access/caller.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

/**
 * Whether the caller may read no values: a browser session, and a token that was made in one. A new token of such a
 * caller reads none either, whatever its policies say later. Throws 403 if they allow to read values today.
 */
export async function readsNoValues(request: ApiRequest, policies: string[]): Promise<boolean> {
  const { caller } = request;
  if (!caller.session && caller.token.reads_values) return false;
  if (await allowValues(request, policies))
    throw permissionDenied(
      'a browser session makes no token that may read values of secrets: use `sealift token create`',
    );
  return true;
}

/** Whether a token with some policies of the request's namespace could read values of secrets. */
export async function allowValues(
  { services, caller, namespace }: ApiRequest,
  policies: string[],
): Promise<boolean> {
  const owner = { namespace_id: namespace.id, namespace_path: namespace.path, policies };
  const future = await loadCaller(services.db, { ...caller.token, ...owner });
  const mounts = await listMountsWithin(services.db, namespace);
  const readable = await findInSlices(mounts, ({ path, version, namespace: place }) =>
    capabilitiesBelow(future, place, version === 2 ? `${path}/data` : path).has('read'),
  );
  return readable !== undefined;
}
