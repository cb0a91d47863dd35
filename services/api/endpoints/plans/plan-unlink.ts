import { findAssociation } from '../../../../libs/store/associations/associations.ts';
import { findEntries } from '../../../../libs/store/associations/entries.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { requireMount, type NamedSecret } from '../associations/common.ts';
import type { PlannedDestination } from '../destinations/draft.ts';
import { leave, type PlannedStep } from './plan-secret.ts';

/** What unlinking a secret would do to its entries. None, if it is not linked or nothing was written. */
export async function planUnlink(
  request: ApiRequest,
  destination: PlannedDestination,
  secret: NamedSecret,
): Promise<PlannedStep[]> {
  const { db } = request.services;
  const mount = await requireMount(request, secret);
  const key = { destinationId: destination.id, mountId: mount.id, secretPath: secret.path };
  const id = await findAssociation(db, key);
  const entries = id === undefined ? [] : await findEntries(db, id);
  return entries.filter(({ owned }) => owned).map((entry) => leave(entry, destination));
}
