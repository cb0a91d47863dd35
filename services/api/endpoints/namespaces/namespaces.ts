import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import {
  createNamespace,
  deleteNamespace,
  describeNamespace,
  findNamespace,
  listNamespacesBelow,
  noteAboutNamespace,
  type DescribedNamespace,
  type Namespace,
} from '../../../../libs/store/access/namespaces.ts';
import { countContents, countHindrances } from '../../../../libs/store/access/namespace-contents.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { requireNone } from '../../../../libs/validation/preconditions.ts';
import { printerOf } from '../../audit/print.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { customMetadata, mergeCustomMetadata } from '../kv/custom-metadata.ts';
import { newNamespaceFault } from '../../routing/namespace-path.ts';
import { presentNamespace } from '../../presenters/namespace.ts';
import { namespaceAnswer, namespacesAnswer } from '../../contract/mounts.ts';

const PREFIX = 'sys/namespaces/';
const PATH = '/sys/namespaces/*path';

/** Namespaces below the request's own. */
export const namespaceEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: '/sys/namespaces',
    access: 'policy',
    summary: 'List the direct child namespaces',
    answers: { 200: { data: namespacesAnswer } },
    query: Type.Object({
      details: Type.Optional(
        Type.Boolean({ description: 'Also count what each of them holds, without those below it.' }),
      ),
    }),
    handle: async ({ services, namespace, query }) => {
      const below = await listNamespacesBelow(services.db, namespace);
      const start = namespace.path === '' ? 0 : namespace.path.length + 1;
      const children = below.filter((child) => !child.path.slice(start).includes('/'));
      if (children.length === 0) throw notFound();
      const contents = query.details
        ? await countContents(
            services.db,
            children.map(({ id }) => id),
          )
        : undefined;
      const named = children.map(
        (child) => [`${child.path.slice(start)}/`, presentNamespace(child, contents?.get(child.id))] as const,
      );
      return ok({ keys: named.map(([key]) => key), key_info: Object.fromEntries(named) });
    },
  }),
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read a namespace',
    answers: { 200: { data: namespaceAnswer } },
    query: Type.Object({
      details: Type.Optional(
        Type.Boolean({
          description: 'Also count, by kind, what must be deleted before it can be (`hindrances`).',
        }),
      ),
    }),
    handle: async (request) => {
      const { db } = request.services;
      const found = await describeNamespace(db, pathOf(request));
      if (!found) throw notFound();
      const hindrances = request.query.details ? await countHindrances(db, found) : undefined;
      return ok(presentNamespace(found, undefined, hindrances));
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Create a namespace; if it exists, only its custom metadata change, if they are sent',
    answers: { 200: { data: namespaceAnswer } },
    takesIfNoneMatch: true,
    body: Type.Object({ custom_metadata: customMetadata('Notes about the namespace.') }),
    handle: async (request) => {
      const path = pathOf(request);
      const { custom_metadata: given } = request.body;
      const metadata = given === undefined ? undefined : mergeCustomMetadata({}, given);
      const { db } = request.services;
      const former = await describeNamespace(db, path);
      if (!former) checkPath(path);
      noteMetadata(request, former, metadata);
      const made = await createNamespace(db, path, (isThere) =>
        requireNone(request.header('if-none-match'), isThere, `the namespace ${path}/`),
      );
      if (metadata !== undefined) await noteAboutNamespace(db, made, metadata ?? {});
      return ok(presentNamespace((await describeNamespace(db, path)) ?? { ...made, custom_metadata: {} }));
    },
  }),
  endpoint({
    method: 'PATCH',
    path: PATH,
    access: 'policy',
    summary: 'Change some custom metadata of a namespace',
    answers: { 200: { data: namespaceAnswer } },
    body: Type.Object({
      custom_metadata: customMetadata(
        'Merged into the present metadata. Null as a value removes the key; null instead of the object removes all.',
      ),
    }),
    handle: async ({ services, body, ...request }) =>
      transact(services.db, async (transaction) => {
        const found = await describeNamespace(transaction, pathOf(request), { lock: true });
        if (!found) throw notFound();
        const { custom_metadata: patch } = body;
        if (patch === undefined) return ok(presentNamespace(found));
        const custom_metadata = mergeCustomMetadata(found.custom_metadata, patch) ?? {};
        noteMetadata({ services, ...request }, found, custom_metadata);
        await noteAboutNamespace(transaction, found, custom_metadata);
        return ok(presentNamespace({ ...found, custom_metadata }));
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Delete an empty namespace',
    answers: { 204: {} },
    handle: async (request) => {
      const found: Namespace | undefined = await findNamespace(request.services.db, pathOf(request));
      request.note({ namespace: pathOf(request), change: found ? 'deleted' : 'none' });
      if (found) await deleteNamespace(request.services.db, found, request.services.config.BATCH_ROWS);
      return noContent();
    },
  }),
];

// Metadata are what people wrote, so they appear as fingerprints.
function noteMetadata(
  request: Pick<ApiRequest, 'services' | 'namespace' | 'path' | 'note'>,
  former: DescribedNamespace | undefined,
  metadata: Record<string, string> | null | undefined,
): void {
  const options = { isSecret: () => true, fingerprint: printerOf(request.services, 'custom metadata') };
  const before = former?.custom_metadata ?? {};
  request.note({
    namespace: pathOf(request),
    change: former ? 'updated' : 'created',
    custom_metadata: describeChanges(before, metadata ?? before, options),
  });
}

function pathOf({ namespace, path }: Pick<ApiRequest, 'namespace' | 'path'>): string {
  return [namespace.path, path.slice(PREFIX.length)].filter(Boolean).join('/');
}

function checkPath(path: string): void {
  const fault = newNamespaceFault(path);
  if (fault !== null) throw badRequest(fault);
}
