import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { isWithin } from '../../../../libs/store/access/namespaces.ts';
import { findTokenByAccessor, findTokenBySecret, type Token } from '../../../../libs/store/access/tokens.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

/**
 * Finds a live token of the request's namespace, or of one below it, by its secret. Throws 400 without a secret, 403
 * for an unknown one.
 */
export async function findBySecret(request: ApiRequest, secret: string | undefined): Promise<Token> {
  if (!secret) throw badRequest('token is missing');
  const found = await lookUp(request, secret);
  if (!found) throw permissionDenied('bad token');
  return found;
}

/**
 * The same by accessor. Throws 400 without an accessor and for an unknown one: so clients can tell an unknown accessor
 * from a missing right.
 */
export async function findByAccessor(
  { services, namespace }: ApiRequest,
  accessor: string | undefined,
): Promise<Token> {
  if (!accessor) throw badRequest('accessor is missing');
  const found = await findTokenByAccessor(services.db, accessor);
  if (!found || !isInNamespace(found, namespace)) throw badRequest('invalid accessor');
  return found;
}

/** The same by secret; undefined if there is none. */
export async function lookUp(
  { services, namespace }: ApiRequest,
  secret: string,
): Promise<Token | undefined> {
  const found = await findTokenBySecret(services.db, services.installation.hashKey, secret);
  return found && isInNamespace(found, namespace) ? found : undefined;
}

// A right in a namespace covers the tokens of that namespace and of those below it, and no others.
function isInNamespace(found: Token, namespace: ApiRequest['namespace']): boolean {
  return isWithin(namespace, { id: found.namespace_id, path: found.namespace_path });
}
