import { Type } from 'typebox';
import { notFound, unprocessable } from '../../../../libs/errors/request-error.ts';
import {
  createVersion,
  deleteVersion,
  findVersion,
  listVersions,
  updateVersion,
  VersionTakenError,
} from '../../../../libs/store/policy-engine-versions/versions.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentVersion } from '../../presenters/version.ts';
import { documentId, refuseOtherId } from '../settings/document-id.ts';
import { describePage, filterSchema, addressOf, pageOf, pageSchema } from './paging.ts';
import { mergeVersion, newVersionSchema, VERSION_TYPE, versionChangeSchema } from './attributes.ts';

const PATH = '/api/v2/admin/policy-engine-versions';

const typeSchema = Type.String({ enum: [VERSION_TYPE] });

const REFUSALS = {
  official: 'an official version cannot be deleted',
  used: 'the version is used by a workspace or a policy set and cannot be deleted',
};

/** Which versions of the policy engine there are. */
export const versionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'List the versions of the policy engine, newest first',
    query: Type.Object({
      'filter[version]': filterSchema('The exact version; wins over the search.'),
      'search[version]': filterSchema('A part of the version.'),
      ...pageSchema,
    }),
    handle: async ({ query, services }) => {
      const page = pageOf(query);
      const filters = {
        'filter[version]': query['filter[version]'],
        'search[version]': query['search[version]'],
      };
      const { versions, total } = await listVersions(services.db, {
        version: query['filter[version]'],
        search: query['search[version]'],
        limit: page.size,
        offset: page.offset,
      });
      const self = addressOf(services.config, PATH);
      return ok({ data: versions.map(presentVersion), ...describePage(page, { self, filters, total }) });
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'policy',
    summary: 'Add a version of the policy engine',
    body: Type.Object({ data: Type.Object({ type: typeSchema, attributes: newVersionSchema }) }),
    handle: async ({ body, services }) => {
      const attributes = mergeVersion(body.data.attributes);
      const version = await createVersion(services.db, attributes).catch(refuseTaken);
      const address = addressOf(services.config, `${PATH}/${version.id}`);
      return { status: 201, data: { data: presentVersion(version) }, headers: { Location: address } };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/:id`,
    access: 'policy',
    summary: 'Read a version of the policy engine',
    handle: async ({ params, services }) => {
      const version = await findVersion(services.db, params['id'] ?? '');
      if (!version) throw notFound();
      return ok({ data: presentVersion(version) });
    },
  }),
  endpoint({
    method: 'PATCH',
    path: `${PATH}/:id`,
    access: 'policy',
    summary: 'Change a version of the policy engine; what is left out keeps its value',
    body: Type.Object({
      data: Type.Object({
        id: documentId,
        type: typeSchema,
        attributes: Type.Optional(versionChangeSchema),
      }),
    }),
    handle: async ({ params, body, services }) => {
      const { id = '' } = params;
      const { attributes = {} } = body.data;
      refuseOtherId(body.data.id, id);
      const version = await updateVersion(services.db, id, (present) =>
        mergeVersion(attributes, present),
      ).catch(refuseTaken);
      if (!version) throw notFound();
      return ok({ data: presentVersion(version) });
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${PATH}/:id`,
    access: 'policy',
    summary: 'Delete a version that is not official and that nothing uses',
    handle: async ({ params, services }) => {
      const outcome = await deleteVersion(services.db, params['id'] ?? '');
      if (outcome === 'deleted') return noContent();
      if (outcome === 'absent') throw notFound();
      throw unprocessable({ detail: REFUSALS[outcome] });
    },
  }),
];

function refuseTaken(error: unknown): never {
  if (!(error instanceof VersionTakenError)) throw error;
  throw unprocessable({
    title: 'invalid attribute',
    detail: 'version has already been taken',
    pointer: '/data/attributes/version',
  });
}
