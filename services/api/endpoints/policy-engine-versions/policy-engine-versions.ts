import { Type } from 'typebox';
import { etagOf, requireMatch } from '../../../../libs/validation/preconditions.ts';
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
  type PolicyEngineVersion,
  type PolicyEngineVersionKey,
} from '../../../../libs/store/policy-engine-versions/policy-engine-versions.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { describeChanges, describeWrite } from '../../../../libs/validation/changes.ts';
import { presentPolicyEngineVersion } from '../../presenters/policy-engine-version.ts';
import { documentId, refuseOtherId } from '../settings/document-id.ts';
import { addressOf } from '../../address.ts';
import { describePage, textFilter, pageOf, pageSchema } from './paging.ts';
import {
  mergePolicyEngineVersion,
  newPolicyEngineVersionSchema,
  policyEngineVersionChangeSchema,
} from './attributes.ts';
import { policyEngineVersionDocument, policyEngineVersionsAnswer } from '../../contract/administration.ts';

const REFUSALS = {
  official: 'an official version cannot be deleted',
  used: 'the version is used by a workspace or a policy set and cannot be deleted',
};

/** Versions of policy engines. Each collection has the same endpoints and its own versions. */
export const policyEngineVersionEndpoints: Endpoint[] = COLLECTIONS.flatMap((collection) =>
  [listEndpoint, addEndpoint, readEndpoint, changeEndpoint, deleteEndpoint].map((make) => make(collection)),
);

function pathOf(collection: Collection): string {
  return `/api/v2/admin/${collection}`;
}

function typeOf(collection: Collection) {
  return Type.String({ enum: [collection] });
}

function keyOf(collection: Collection, params: Record<string, string>): PolicyEngineVersionKey {
  return { collection, id: params['id'] ?? '' };
}

function listEndpoint(collection: Collection): Endpoint {
  return endpoint({
    method: 'GET',
    path: pathOf(collection),
    access: 'policy',
    summary: 'List the versions of the policy engine, newest first',
    answers: { 200: { data: policyEngineVersionsAnswer } },
    query: Type.Object({
      'filter[version]': textFilter('Find exactly this version. If it is set, the search is ignored.'),
      'search[version]': textFilter('Find versions that contain this text.'),
      ...pageSchema,
    }),
    handle: async ({ query, services }) => {
      const page = pageOf(query);
      const { 'filter[version]': version, 'search[version]': search } = query;
      const { versions, total } = await listPolicyEngineVersions(services.db, {
        collection,
        version,
        search,
        limit: page.size,
        offset: page.offset,
      });
      const self = addressOf(services.config, pathOf(collection));
      const filters = { 'filter[version]': version, 'search[version]': search };
      return ok({
        data: versions.map((one) => presentPolicyEngineVersion(collection, one)),
        ...describePage(page, { self, filters, total }),
      });
    },
  });
}

function addEndpoint(collection: Collection): Endpoint {
  return endpoint({
    method: 'POST',
    path: pathOf(collection),
    access: 'policy',
    summary: 'Add a version of the policy engine',
    answers: { 201: { data: policyEngineVersionDocument } },
    body: Type.Object({
      data: Type.Object({ type: typeOf(collection), attributes: newPolicyEngineVersionSchema }),
    }),
    handle: async ({ body, services, caller, note }) => {
      const attributes = mergePolicyEngineVersion(body.data.attributes);
      note(describeWrite(undefined, attributes));
      const author = caller.token.display_name;
      const policyEngineVersion = await createPolicyEngineVersion(
        services.db,
        collection,
        attributes,
        author,
      ).catch(refuseTaken);
      return {
        status: 201,
        data: { data: presentPolicyEngineVersion(collection, policyEngineVersion) },
        headers: { Location: addressOf(services.config, `${pathOf(collection)}/${policyEngineVersion.id}`) },
      };
    },
  });
}

function readEndpoint(collection: Collection): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${pathOf(collection)}/:id`,
    access: 'policy',
    summary: 'Read a version of the policy engine',
    answers: { 200: { data: policyEngineVersionDocument } },
    handle: async ({ params, services }) => {
      const policyEngineVersion = await findPolicyEngineVersion(services.db, keyOf(collection, params));
      if (!policyEngineVersion) throw notFound();
      return answerVersion(collection, policyEngineVersion);
    },
  });
}

function changeEndpoint(collection: Collection): Endpoint {
  return endpoint({
    method: 'PATCH',
    path: `${pathOf(collection)}/:id`,
    access: 'policy',
    summary: 'Change a version of the policy engine; absent attributes keep their values',
    answers: { 200: { data: policyEngineVersionDocument } },
    isConditional: true,
    body: Type.Object({
      data: Type.Object({
        id: documentId,
        type: typeOf(collection),
        attributes: Type.Optional(policyEngineVersionChangeSchema),
      }),
    }),
    handle: async ({ params, body, services, caller, header, note }) => {
      const key = keyOf(collection, params);
      const { attributes = {} } = body.data;
      refuseOtherId(body.data.id, key.id);
      const change = (present: PolicyEngineVersion) => {
        requireRevision(header, present);
        const next = mergePolicyEngineVersion(attributes, present);
        note({ version: present.version, changed: describeChanges(present, { ...present, ...next }) });
        return next;
      };
      const author = caller.token.display_name;
      const policyEngineVersion = await updatePolicyEngineVersion(services.db, key, change, author).catch(
        refuseTaken,
      );
      if (!policyEngineVersion) throw absent(header);
      return answerVersion(collection, policyEngineVersion);
    },
  });
}

function deleteEndpoint(collection: Collection): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${pathOf(collection)}/:id`,
    access: 'policy',
    summary: 'Delete a version that is not official and not in use',
    answers: { 204: {} },
    isConditional: true,
    handle: async ({ params, services, header, note }) => {
      const outcome = await deletePolicyEngineVersion(services.db, keyOf(collection, params), (present) => {
        requireRevision(header, present);
        const { version, archs, enabled } = present;
        note({ version, archs, enabled });
      });
      if (outcome === 'deleted') return noContent();
      if (outcome === 'absent') throw absent(header);
      throw unprocessable({ detail: REFUSALS[outcome] });
    },
  });
}

// A condition on the present state cannot hold where there is none.
function absent(header: ApiRequest['header']): Error {
  requireMatch(header('if-match'), undefined, 'the version');
  return notFound();
}

function requireRevision(header: ApiRequest['header'], present: PolicyEngineVersion): void {
  requireMatch(header('if-match'), present, `the version ${present.version}`);
}

function answerVersion(collection: Collection, policyEngineVersion: PolicyEngineVersion) {
  const data = { data: presentPolicyEngineVersion(collection, policyEngineVersion) };
  return { status: 200, data, headers: { ETag: etagOf(policyEngineVersion) } };
}

function refuseTaken(error: unknown): never {
  if (!(error instanceof PolicyEngineVersionTakenError)) throw error;
  throw unprocessable({
    title: 'invalid attribute',
    detail: 'version has already been taken',
    pointer: '/data/attributes/version',
  });
}
