import type { Database } from '../../../../libs/db/connect.ts';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { findGithubApp } from '../../../../libs/store/destinations/github-apps.ts';
import type { DestinationDocument } from '../../../../libs/store/destinations/write.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedDestination } from '../named-destination.ts';

/**
 * Whoever writes a destination that signs in as an app must have the right to read the app. The app must be in the same
 * namespace and of the same server. In a transaction, `lock` keeps others from deleting it. Throws 403 and 400.
 */
export async function requireApp(
  db: Database,
  { may, namespace }: ApiRequest,
  { type }: NamedDestination,
  { document, lock = false }: { document: DestinationDocument; lock?: boolean },
): Promise<void> {
  const { settings } = document;
  const name = type.app?.nameOf(settings);
  if (!type.app || name === undefined) return;
  const path = `sys/sync/github-apps/${name}`;
  if (!may(path, 'read')) throw permissionDenied(`app_name: needs the capability read on ${path}`);
  const app = await findGithubApp(db, { namespaceId: namespace.id, name }, lock ? 'share' : undefined);
  if (!app)
    throw badRequest(`app_name: this namespace has no GitHub App ${name}; create it first, at ${path}`);
  if (type.app.serverOf({ enterprise_url: app.enterprise_url ?? undefined }) === type.app.serverOf(settings))
    return;
  const own = app.enterprise_url === null ? 'github.com, so leave it out' : app.enterprise_url;
  throw badRequest(`enterprise_url: must be that of the GitHub App ${name}: ${own}`);
}
