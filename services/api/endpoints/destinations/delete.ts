import { Type } from 'typebox';
import type { Database } from '../../../../libs/db/connect.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { requireMatch } from '../../../../libs/validation/preconditions.ts';
import {
  countAssociations,
  findDestination,
  type DestinationRow,
} from '../../../../libs/store/destinations/destinations.ts';
import { deleteDestination } from '../../../../libs/store/destinations/delete.ts';
import { beginPurge } from '../../../../libs/store/destinations/purges.ts';
import { listRows } from '../../../../libs/store/associations/rows.ts';
import type { BulkOutcome } from '../../contract/plans.ts';
import { auditedSecrets, MOST_SECRETS } from '../associations/bulk.ts';
import { filterOf } from '../associations/filter.ts';
import { endpoint, noContent, type Endpoint } from '../../routing/endpoint.ts';
import { answerDestination, findNamed, nameOf, type NamedDestination } from '../named-destination.ts';
import { counted } from '../../../../libs/collections/counted.ts';
import { destinationAnswer } from '../../contract/destinations.ts';

const deletionQuery = Type.Object({
  purge: Type.Optional(
    Type.Boolean({
      description:
        'Delete all entries in the store first; this continues after the answer. If it fails, `purge_error` says why. Then purge again, or keep the destination by changing it or its associations.',
    }),
  ),
  force_delete: Type.Optional(
    Type.Boolean({ description: 'Delete the destination and leave its entries in the store.' }),
  ),
});

/** `secrets`: the first ones of the associations that end. */
type Deleted = {
  row: DestinationRow;
  change: 'deleted' | 'purging';
  count: number;
  secrets: BulkOutcome[];
};

/** Deleting destinations, with or without what they manage. */
export const destinationDeleteEndpoints: Endpoint[] = [
  endpoint({
    method: 'DELETE',
    path: '/sys/sync/destinations/:type/:name',
    access: 'policy',
    summary: 'Delete a destination; with associations, only by purge or force_delete',
    answers: { 200: { data: destinationAnswer }, 204: {} },
    isConditional: true,
    query: deletionQuery,
    body: deletionQuery,
    handle: async (request) => {
      const { services, namespace, query, body } = request;
      const options = { purge: query.purge ?? body.purge, force: query.force_delete ?? body.force_delete };
      const named = findNamed(request);
      if (!named) {
        requireMatch(request.header('if-match'), undefined, 'the destination');
        return noContent();
      }
      const deleted = await transact(services.db, (transaction) =>
        remove(transaction, named, {
          ...options,
          ifMatch: request.header('if-match'),
          author: request.caller.token.display_name,
          limit: services.config.BATCH_ROWS,
        }),
      );
      if (!deleted) return noContent();
      const { row, change, count, secrets } = deleted;
      const way = change === 'purging' ? 'purge' : options.force ? 'force_delete' : 'delete';
      const untold = count - secrets.length;
      request.note({ change, way, links: count, ...(untold > 0 ? { links_without_entry: untold } : {}) });
      request.noteSecrets(await auditedSecrets(request, secrets));
      const data = { namespace: namespace.path, type: row.type, name: row.name, change };
      services.events.send({ name: 'destination.changed', data });
      if (change === 'deleted') return noContent();
      return answerDestination(row, named);
    },
  }),
];

async function remove(
  transaction: Database,
  named: NamedDestination,
  options: {
    purge: boolean | undefined;
    force: boolean | undefined;
    ifMatch: string;
    author: string;
    limit: number;
  },
): Promise<Deleted | undefined> {
  const row = await findDestination(transaction, named.key, 'update');
  const { purge, force, ifMatch, ...way } = options;
  requireMatch(ifMatch, row, nameOf(named));
  if (!row) return undefined;
  const { count, removing } = await countAssociations(transaction, { destination_id: row.id });
  const secrets = force || purge ? await secretsOf(transaction, row) : [];
  if (force || count === 0) {
    await deleteDestination(transaction, row.id, way.limit);
    return { row, change: 'deleted', count, secrets };
  }
  if (purge) return { row: await beginPurge(transaction, row, way), change: 'purging', count, secrets };
  throw badRequest(
    `the destination still manages ${counted(count, 'association')}: ${removing === count ? 'all are being removed already, so try again in a moment' : 'remove them first'}, or delete with purge=true (deletes what is outside) or force_delete=true (leaves it)`,
  );
}

// Not all of very many: each gets an entry in the audit trail.
async function secretsOf(transaction: Database, { id }: DestinationRow): Promise<BulkOutcome[]> {
  const query = { destinationId: id, filter: filterOf({}), after: undefined, limit: MOST_SECRETS };
  const rows = await listRows(transaction, query);
  return rows.map(({ mount, secret_path }) => ({
    mount,
    secret_name: secret_path,
    outcome: 'removing',
    error: null,
  }));
}
