import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import type { Decision } from '../../../../libs/store/due/trigger.ts';
import { indexRows, listRows, retryRows, type RowFilter } from '../../../../libs/store/associations/rows.ts';
import { probeNow } from '../../../../libs/store/orders/probes.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { lookUpDestination, type DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { presentRow } from '../../presenters/summary.ts';
import { endpoint, isThere, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { findNamed, requireDestination } from '../named-destination.ts';
import { decisionSchema, onlySeenSchema, pageStart, storeOf, type NamedSecret } from './common.ts';
import { nameSecrets } from './bulk.ts';
import { filterOf, NO_OTHER_FIELDS, retryFilter, rowFilter, waitingFilter } from './filter.ts';
import { rowsAnswer } from '../../contract/associations.ts';
import { retriedAnswer } from '../../contract/plans.ts';

const PATH = '/sys/sync/destinations/:type/:name/associations';
const retrySchema = Type.Object(
  { ...retryFilter, conflict_policy: decisionSchema, only_seen: onlySeenSchema },
  NO_OTHER_FIELDS,
);

const DEFAULT_ROWS = 100;
const MOST_ROWS = 1000;

/** The associations of a destination as rows: to find, count and retry them by status, cause or name. */
export const associationRowEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${PATH}/rows`,
    access: 'policy',
    summary: 'Read the associations of a destination, one row each, filtered by status, cause or name',
    answers: { 200: { data: rowsAnswer } },
    query: Type.Object({
      ...rowFilter,
      waiting: waitingFilter,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_ROWS, description: 'Maximum number of rows. Default 100.' }),
      ),
      after: Type.Optional(
        Type.String({
          description: '`next_after` or an anchor of an earlier answer. Empty: the first page.',
        }),
      ),
      anchors: Type.Optional(
        Type.Boolean({
          description: 'Also return the number of matching rows, and an anchor for each 500th row.',
        }),
      ),
    }),
    handle: async (request) => {
      const { services, query } = request;
      const named = findNamed(request);
      const row = named && (await lookUpDestination(services.db, named.key));
      if (!row) throw notFound();
      const limit = query.limit ?? DEFAULT_ROWS;
      const wanted = { destinationId: row.id, filter: filterOf(query) };
      const after = query.after ? await pageStart(request, query.after) : undefined;
      const rows = await listRows(services.db, { ...wanted, after, limit });
      const index = query.anchors ? await indexRows(services.db, wanted) : {};
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return ok({
        ...storeOf(request),
        rows: rows.map(presentRow),
        next_after: last ? `${last.accessor}/${last.secret_path}` : null,
        ...index,
      });
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/retry`,
    access: 'policy',
    summary: 'Retry all associations that match the filter; without a filter, all of the destination',
    answers: { 200: { data: retriedAnswer } },
    body: retrySchema,
    exists: isThere,
    handle: async (request) => {
      const { row } = await requireDestination(request);
      const { only_seen: onlySeen, ...demand } = request.body;
      const { secrets, ...words } = demand;
      const { conflict_policy: decision, ...filter } = demand;
      const retried = await retryAll(request, row, { wanted: filterOf(filter), decision, onlySeen });
      request.note({ filter: words, links: retried });
      if (secrets) await noteNamed(request, filterOf({ secrets }).secrets ?? []);
      return ok({ retried });
    },
  }),
];

// A search for a secret finds what was asked about it.
async function noteNamed(request: ApiRequest, secrets: NamedSecret[]): Promise<void> {
  const names = await nameSecrets(request, secrets);
  const [only, ...others] = names;
  if (only && others.length === 0) {
    request.noteSecret(only);
    request.note({ secret: only.secret });
    return;
  }
  request.note({ secrets: { retried: names.map(({ secret }) => secret) } });
  request.noteSecrets(
    names.map((one) => ({ ...one, action: 'retry', detail: { secret: one.secret }, isRefused: false })),
  );
}

// If a destination fails as a whole, we probe it with one association. The others follow when it works.
async function retryAll(
  { services, caller }: ApiRequest,
  row: DestinationRow,
  {
    wanted,
    ...options
  }: { wanted: RowFilter; decision: Decision | undefined; onlySeen: boolean | undefined },
): Promise<number> {
  const limit = services.config.BATCH_ROWS;
  let afterId = 0;
  let retried = 0;
  for (;;) {
    const author = caller.token.display_name;
    const query = { destinationId: row.id, filter: wanted, afterId, limit, author, ...options };
    const ids = await transact(services.db, (transaction) => retryRows(transaction, query));
    const [first, last] = [ids[0], ids.at(-1)];
    if (first !== undefined && retried === 0 && row.failures > 0) await probeNow(services.db, row.id, first);
    retried += ids.length;
    if (last === undefined || ids.length < limit) return retried;
    afterId = last;
  }
}
