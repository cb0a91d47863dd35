import { Type } from 'typebox';
import { notFound, unprocessable } from '../../../../libs/errors/request-error.ts';
import {
  COLLECTIONS,
  createPolicyEngineVersion,
  deletePolicyEngineVersion,
  findPolicyEngineVersion,
  listPolicyEngineVersions,
  updatePolicyEngineVersion,
  PolicyEngineVersionTakenError,
  type Collection,
} from '../../../../libs/store/policy-engine-versions/policy-engine-versions.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentPolicyEngineVersion } from '../../presenters/policy-engine-version.ts';
import { documentId, refuseOtherId } from '../settings/document-id.ts';
import { describePage, filterSchema, addressOf, pageOf, pageSchema } from './paging.ts';
import {
  mergePolicyEngineVersion,
  newPolicyEngineVersionSchema,
  policyEngineVersionChangeSchema,
} from './attributes.ts';

const REFUSALS = {
  official: 'an official version cannot be deleted',
  used: 'the version is used by a workspace or a policy set and cannot be deleted',
};

/** Which versions of policy engines there are; each collection has the same endpoints and its own versions. */
export const policyEngineVersionEndpoints: Endpoint[] = COLLECTIONS.flatMap(endpointsOf);

function endpointsOf(collection: Collection): Endpoint[] {
  const path = `/api/v2/admin/${collection}`;
  const typeSchema = Type.String({ enum: [collection] });
  const keyOf = (params: Record<string, string>) => ({ collection, id: params['id'] ?? '' });
  return [
    endpoint({
      method: 'GET',
      path,
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
        const { versions, total } = await listPolicyEngineVersions(services.db, {
          collection,
          version: query['filter[version]'],
          search: query['search[version]'],
          limit: page.size,
          offset: page.offset,
        });
        const self = addressOf(services.config, path);
        return ok({
          data: versions.map((version) => presentPolicyEngineVersion(collection, version)),
          ...describePage(page, { self, filters, total }),
        });
      },
    }),
    endpoint({
      method: 'POST',
      path,
      access: 'policy',
      summary: 'Add a version of the policy engine',
      body: Type.Object({
        data: Type.Object({ type: typeSchema, attributes: newPolicyEngineVersionSchema }),
      }),
      handle: async ({ body, services }) => {
        const attributes = mergePolicyEngineVersion(body.data.attributes);
        const version = await createPolicyEngineVersion(services.db, collection, attributes).catch(
          refuseTaken,
        );
        const address = addressOf(services.config, `${path}/${version.id}`);
        return {
          status: 201,
          data: { data: presentPolicyEngineVersion(collection, version) },
          headers: { Location: address },
        };
      },
    }),
    endpoint({
      method: 'GET',
      path: `${path}/:id`,
      access: 'policy',
      summary: 'Read a version of the policy engine',
      handle: async ({ params, services }) => {
        const version = await findPolicyEngineVersion(services.db, keyOf(params));
        if (!version) throw notFound();
        return ok({ data: presentPolicyEngineVersion(collection, version) });
      },
    }),
    endpoint({
      method: 'PATCH',
      path: `${path}/:id`,
      access: 'policy',
      summary: 'Change a version of the policy engine; what is left out keeps its value',
      body: Type.Object({
        data: Type.Object({
          id: documentId,
          type: typeSchema,
          attributes: Type.Optional(policyEngineVersionChangeSchema),
        }),
      }),
      handle: async ({ params, body, services }) => {
        const key = keyOf(params);
        const { attributes = {} } = body.data;
        refuseOtherId(body.data.id, key.id);
        const version = await updatePolicyEngineVersion(services.db, key, (present) =>
          mergePolicyEngineVersion(attributes, present),
        ).catch(refuseTaken);
        if (!version) throw notFound();
        return ok({ data: presentPolicyEngineVersion(collection, version) });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${path}/:id`,
      access: 'policy',
      summary: 'Delete a version that is not official and that nothing uses',
      handle: async ({ params, services }) => {
        const outcome = await deletePolicyEngineVersion(services.db, keyOf(params));
        if (outcome === 'deleted') return noContent();
        if (outcome === 'absent') throw notFound();
        throw unprocessable({ detail: REFUSALS[outcome] });
      },
    }),
  ];
}

function refuseTaken(error: unknown): never {
  if (!(error instanceof PolicyEngineVersionTakenError)) throw error;
  throw unprocessable({
    title: 'invalid attribute',
    detail: 'version has already been taken',
    pointer: '/data/attributes/version',
  });
}
