import { Type, type Static } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { findAssociation, unlinkAssociations } from '../../../../libs/store/associations/associations.ts';
import { listRows } from '../../../../libs/store/associations/rows.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { probeNow } from '../../../../libs/store/orders/probes.ts';
import { findMount } from '../../../../libs/store/secrets/mounts.ts';
import { bulkAnswer, type BulkOutcome } from '../../contract/plans.ts';
import { endpoint, isThere, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { requireDestination } from '../named-destination.ts';
import { afterSchema, MOST_SECRETS, answerBulk, secretsSchema, type BulkSecret } from './bulk.ts';
import { namedSecret, pageStart } from './common.ts';
import { filterOf, NO_OTHER_FIELDS, rowFilter } from './filter.ts';

const body = Type.Object(
  {
    secrets: Type.Optional(secretsSchema),
    ...rowFilter,
    all: Type.Optional(
      Type.Boolean({
        description: 'True: unlink all secrets of the destination. Required without `secrets` and filter.',
      }),
    ),
    after: Type.Optional(afterSchema),
  },
  NO_OTHER_FIELDS,
);

type Found = BulkSecret & { id: number | undefined };

/** Unlinking many secrets at once. */
export const associationRemoveManyEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/destinations/:type/:name/associations/remove-many',
    access: 'policy',
    summary: `Unlink up to ${MOST_SECRETS} secrets, by name or by filter, and delete their entries; the answer has one result for each`,
    answers: { 200: { data: bulkAnswer } },
    body,
    exists: isThere,
    handle: async (request) => {
      const { services, caller } = request;
      const { row } = await requireDestination(request);
      const { found, next } = await wantedAssociations(request, row);
      const ids = found.flatMap(({ id }) => (id === undefined ? [] : [id]));
      // All or none, so that no partial result has to be reported.
      const removing = new Set(
        await transact(services.db, (transaction) =>
          unlinkAssociations(transaction, ids, caller.token.display_name),
        ),
      );
      const [first] = removing;
      if (first !== undefined && row.failures > 0) await probeNow(services.db, row.id, first);
      const outcomes = found.map(({ id, ...secret }): BulkOutcome => {
        const outcome = id !== undefined && removing.has(id) ? 'removing' : 'absent';
        return { ...secret, outcome, error: null };
      });
      return answerBulk(request, outcomes, { next });
    },
  }),
];

async function wantedAssociations(
  request: ApiRequest<Static<typeof body>>,
  { id: destinationId }: DestinationRow,
): Promise<{ found: Found[]; next: string | null }> {
  const { secrets, all, after, ...filter } = request.body;
  if (secrets) {
    const found: Found[] = [];
    for (const secret of secrets) found.push(await findNamed(request, destinationId, secret));
    return { found, next: null };
  }
  const wanted = filterOf(filter);
  if (!all && Object.values(wanted).every((part) => part === undefined)) {
    throw badRequest('secrets, a filter, or all: true is required');
  }
  const start = after ? await pageStart(request, after) : undefined;
  const query = { destinationId, filter: wanted, after: start, limit: MOST_SECRETS };
  const rows = await listRows(request.services.db, query);
  const last = rows.length === MOST_SECRETS ? rows.at(-1) : undefined;
  return {
    found: rows.map(({ id, mount, secret_path: name }) => ({ id, mount, secret_name: name })),
    next: last ? `${last.accessor}/${last.secret_path}` : null,
  };
}

async function findNamed(request: ApiRequest, destinationId: number, given: BulkSecret): Promise<Found> {
  const secret = namedSecret(given);
  const mount = await findMount(request.services.db, request.namespace.id, secret.mount);
  const key = mount && { destinationId, mountId: mount.id, secretPath: secret.path };
  return {
    mount: secret.mount,
    secret_name: secret.path,
    id: key && (await findAssociation(request.services.db, key)),
  };
}
