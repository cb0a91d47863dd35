import { Type } from 'typebox';
import { conflict, notFound } from '../../../../libs/errors/request-error.ts';
import { probeNow } from '../../../../libs/store/orders/probes.ts';
import {
  findAssociation,
  findNamedAssociation,
  unlinkSecret,
  withdraw,
} from '../../../../libs/store/associations/associations.ts';
import { listHistory } from '../../../../libs/store/associations/history.ts';
import {
  findRecord,
  listRecords,
  recordPages,
  type AssociationRecord,
} from '../../../../libs/store/associations/records.ts';
import { lookUpDestination } from '../../../../libs/store/destinations/destinations.ts';
import { groupBy } from '../../../../libs/collections/group-by.ts';
import { findMount } from '../../../../libs/store/secrets/mounts.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { endpoint, isThere, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentHistory } from '../../presenters/association-history.ts';
import { NO_OTHER_FIELDS } from './filter.ts';
import {
  namedSecret,
  noteNamed,
  pageStart,
  presentAll,
  presentList,
  secretBody,
  secretQuery,
  storeOf,
} from './common.ts';
import { notLinked } from './link.ts';
import { waitForOutcome } from './wait.ts';
import { findNamed, requireDestination } from '../named-destination.ts';
import { attemptsAnswer, recordsAnswer } from '../../contract/associations.ts';
import { verifiedAnswer } from '../../contract/plans.ts';

const PATH = '/sys/sync/destinations/:type/:name/associations';

/** Reading, checking and ending the associations of a destination. */
export const associationEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read all associations of a destination with their latest status',
    answers: { 200: { data: recordsAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: 'Maximum number of associations. Default: all.',
        }),
      ),
      after: Type.Optional(
        Type.String({ description: '`next_after` of the previous page. Empty: the first page.' }),
      ),
      mount: Type.Optional(
        Type.String({ description: 'Together with `secret_name`: return only this association.' }),
      ),
      secret_name: Type.Optional(Type.String({ description: 'Path of the secret in the mount.' })),
    }),
    handle: async (request) => {
      const { services, query } = request;
      const named = findNamed(request);
      const row = named && (await lookUpDestination(services.db, named.key));
      if (!row) throw notFound();
      if (query.secret_name) return ok(presentList(request, [await requireRecord(request, row.id)]));
      const after = query.after ? await pageStart(request, query.after) : undefined;
      if (query.limit === undefined)
        return ok(presentAll(request, () => recordPages(services.db, row.id, after)));
      const records = await listRecords(services.db, row.id, { after, limit: query.limit });
      const last = records.length === query.limit ? records.at(-1) : undefined;
      const next = last ? `${last.accessor}/${last.secret_path}` : null;
      return ok({ ...presentList(request, records), next_after: next });
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/remove`,
    access: 'policy',
    summary:
      'Unlink a secret from a destination and delete its entries; succeeds if it is not linked; waits up to 1 s unless `Prefer: respond-async` is sent',
    answers: { 200: { data: recordsAnswer } },
    body: secretBody,
    exists: isThere,
    handle: async (request) => {
      const { services, namespace, caller } = request;
      const secret = namedSecret(request.body);
      await noteNamed(request, secret);
      const named = findNamed(request);
      const row = named && (await lookUpDestination(services.db, named.key));
      const mount = row && (await findMount(services.db, namespace.id, secret.mount));
      if (!row || !mount) return ok(presentList(request, []));
      const key = { destinationId: row.id, mountId: mount.id, secretPath: secret.path };
      const { unlinked, going } = await transact(services.db, async (transaction) => {
        const author = caller.token.display_name;
        const found = await unlinkSecret(transaction, { ...key, author });
        if (found && row.failures > 0) await probeNow(transaction, row.id, found.id);
        // After the commit, a worker may be faster than we are.
        return { unlinked: found, going: found && (await findRecord(transaction, found.id)) };
      });
      if (!unlinked) return ok(presentList(request, []));
      const headers = await waitForOutcome(request, unlinked);
      // If the association is gone, we show its last state.
      const record = (await findRecord(services.db, unlinked.id)) ?? going;
      return { status: 200, data: presentList(request, record ? [record] : []), headers };
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/withdraw`,
    access: 'policy',
    summary:
      'Withdraw what was asked for about a linked secret before a worker begins it, and a decision about its entry also while attempts fail',
    answers: { 200: { data: recordsAnswer } },
    body: Type.Object(secretBody.properties, NO_OTHER_FIELDS),
    exists: isThere,
    handle: async (request) => {
      const { services } = request;
      await noteNamed(request, namedSecret(request.body));
      const { key } = await requireKey(request, request.body);
      const link = key && (await findNamedAssociation(services.db, key));
      if (!link) throw notLinked();
      const author = request.caller.token.display_name;
      const found = await transact(services.db, (transaction) => withdraw(transaction, { ...key, author }));
      if (!found)
        throw conflict(
          link.decision === null
            ? 'nothing can be withdrawn: a worker has begun it, or nobody asked for anything'
            : 'nothing can be withdrawn while a worker is at it: if its attempt fails, you can withdraw the decision then',
        );
      const record = await findRecord(services.db, found.id);
      return ok(presentList(request, record ? [record] : []));
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/verify`,
    access: 'policy',
    summary: 'Compare the entries in the store with what was written',
    answers: { 200: { data: verifiedAnswer } },
    body: Type.Object(secretBody.properties, NO_OTHER_FIELDS),
    handle: async (request) => {
      const { services } = request;
      await noteNamed(request, namedSecret(request.body));
      const { row, key } = await requireKey(request, request.body);
      const id = key && (await findAssociation(services.db, key));
      if (id === undefined) throw notLinked();
      const result = await services.commands.call(`connector.${row.type}`, 'verify', { association: id });
      const states = groupBy(result.entries, ({ state }) => state);
      request.note({ found: Object.fromEntries([...states].map(([state, { length }]) => [state, length])) });
      return ok({ ...storeOf(request), ...result });
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/history`,
    access: 'policy',
    summary: 'Read the sync attempts of an association, newest first',
    answers: { 200: { data: attemptsAnswer } },
    query: Type.Object({
      ...secretQuery,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of attempts. Default 100.' }),
      ),
      before: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: '`id` of the last attempt of the previous page.',
        }),
      ),
    }),
    handle: async (request) => {
      const { services, query } = request;
      const { key } = await requireKey(request, query);
      const lines = key
        ? await listHistory(services.db, key, { limit: query.limit ?? 100, before: query.before })
        : [];
      return ok({
        ...storeOf(request),
        history: lines.map(presentHistory),
      });
    },
  }),
];

// The association that the query names. Throws 404 if there is none.
async function requireRecord(
  { services, namespace, query }: ApiRequest<unknown, { mount?: string; secret_name?: string }>,
  destinationId: number,
): Promise<AssociationRecord> {
  const secret = namedSecret({ mount: query.mount ?? '', secret_name: query.secret_name ?? '' });
  const mount = await findMount(services.db, namespace.id, secret.mount);
  const key = mount && { destinationId, mountId: mount.id, secretPath: secret.path };
  const id = key && (await findAssociation(services.db, key));
  const record = id === undefined ? undefined : await findRecord(services.db, id);
  if (!record) throw notFound();
  return record;
}

async function requireKey(
  request: ApiRequest,
  given: { mount: string; secret_name?: string; name?: string },
) {
  const secret = namedSecret(given);
  const { row } = await requireDestination(request);
  const mount = await findMount(request.services.db, request.namespace.id, secret.mount);
  const key = mount && { destinationId: row.id, mountId: mount.id, secretPath: secret.path };
  return { row, key };
}
