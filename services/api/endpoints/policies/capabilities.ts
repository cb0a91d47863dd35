import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { mapInSlices } from '../../../../libs/time/slices.ts';
import {
  callerWith,
  capabilitiesBelow,
  capabilitiesOf,
  loadCaller,
  type Caller,
} from '../../access/caller.ts';
import { parsePolicy } from '../../access/parse-policy.ts';
import { CAPABILITIES, type Capability } from '../../access/policy.ts';
import { canonicalPath } from '../../http/canonical-path.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { findByAccessor, findBySecret } from '../tokens/find.ts';
import { byName, texts } from '../../contract/schema.ts';

const list = Type.Optional(Type.Array(Type.String()));
const paths = { paths: list, path: list };

const capabilitiesAnswer = byName(texts, 'By path; `capabilities` as well, if there is only one path.');

/** What tokens may do with paths, without trying it. */
export const capabilityEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/sys/capabilities-self',
    alsoMethods: ['PUT'],
    access: 'token',
    changesNothing: true,
    summary: "Read the caller's capabilities on paths",
    answers: { 200: { data: capabilitiesAnswer } },
    body: Type.Object(paths),
    handle: async (request) => tell(request, request.caller),
  }),
  endpoint({
    method: 'POST',
    path: '/sys/capabilities-below',
    alsoMethods: ['PUT'],
    access: 'token',
    changesNothing: true,
    summary: "Read the capabilities that the caller's rules give on any path at or below each of the paths",
    answers: { 200: { data: capabilitiesAnswer } },
    body: Type.Object(paths),
    handle: async (request) =>
      tell(request, request.caller, (path) => capabilitiesBelow(request.caller, request.namespace, path)),
  }),
  endpoint({
    method: 'POST',
    path: '/sys/capabilities',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: "Read a token's capabilities on paths",
    answers: { 200: { data: capabilitiesAnswer } },
    body: Type.Object({ ...paths, token: Type.Optional(Type.String({ sensitive: true })) }),
    handle: async (request) => {
      const token = await findBySecret(request, request.body.token);
      return tell(request, await loadCaller(request.services.db, token));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/capabilities-accessor',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: "Read a token's capabilities on paths, by its accessor",
    answers: { 200: { data: capabilitiesAnswer } },
    body: Type.Object({ ...paths, accessor: Type.Optional(Type.String()) }),
    handle: async (request) => {
      const token = await findByAccessor(request, request.body.accessor);
      request.note({ accessor: token.accessor, display_name: token.display_name });
      return tell(request, await loadCaller(request.services.db, token));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/policies/preview',
    alsoMethods: ['PUT'],
    access: 'token',
    changesNothing: true,
    atOnce: { ofClient: LIMITS.previews, ofAll: LIMITS.allPreviews },
    summary:
      'Check the text of a policy, and read the capabilities that it would give on paths, before it is written',
    answers: { 200: { data: capabilitiesAnswer } },
    body: Type.Object({
      ...paths,
      policy: Type.String({ description: 'Text of the policy, in HCL or JSON.' }),
    }),
    handle: async (request) => {
      const { caller, namespace, body, warn } = request;
      const token = {
        ...caller.token,
        namespace_id: namespace.id,
        namespace_path: namespace.path,
        policies: [],
      };
      const { document, warnings } = await parsePolicy(body.policy);
      warnings.forEach(warn);
      return tell(request, await callerWith(token, document));
    },
  }),
];

type Asked = ApiRequest<{ paths?: string[]; path?: string[] }>;

// `given`: what the caller may do with a canonical path.
async function tell(
  { body, namespace }: Asked,
  caller: Caller,
  given = (path: string, isList: boolean) => capabilitiesOf(caller, namespace, path, { isList }),
) {
  const wanted = body.paths ?? body.path ?? [];
  if (wanted.length === 0) throw badRequest('paths is missing');
  requireWithin(LIMITS.askedPaths, wanted.length);
  for (const path of wanted) requireWithin(LIMITS.askedPathBytes, Buffer.byteLength(path));
  const isRoot = caller.token.policies.includes('root');
  const named = await mapInSlices(wanted, (path): [string, string[]] => {
    // A slash at the end means the folder, and lists act on folders.
    const capabilities = given(canonicalPath(encode(path)), path.endsWith('/'));
    return [path, isRoot ? ['root'] : describe(capabilities)];
  });
  const byPath: Record<string, string[]> = Object.fromEntries(named);
  return ok(wanted.length === 1 ? { ...byPath, capabilities: named[0]?.[1] ?? [] } : byPath);
}

function describe(given: ReadonlySet<Capability>): Capability[] {
  return given.size === 0 ? ['deny'] : CAPABILITIES.filter((capability) => given.has(capability));
}

function encode(path: string): string {
  try {
    return encodeURI(path);
  } catch {
    throw badRequest('a path contains half of a surrogate pair');
  }
}
