import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { capabilitiesOf, type Caller } from '../../access/caller.ts';
import { CAPABILITIES, type Capability } from '../../access/policy.ts';
import { canonicalPath } from '../../http/canonical-path.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';

const MOST_PATHS = 200;

/** What the caller may do with paths, before it tries. */
export const capabilityEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/sys/capabilities-self',
    alsoMethods: ['PUT'],
    access: 'token',
    summary: "Read the caller's capabilities on paths",
    body: Type.Object({
      paths: Type.Optional(Type.Array(Type.String(), { maxItems: MOST_PATHS })),
      path: Type.Optional(Type.Array(Type.String(), { maxItems: MOST_PATHS })),
    }),
    handle: async ({ body, caller, namespace }) => {
      const paths = body.paths ?? body.path ?? [];
      if (paths.length === 0) throw badRequest('paths is missing');
      const named = paths.map((path) => [path, describe(caller, namespace, path)] as const);
      const first = named[0]?.[1] ?? [];
      return ok({ ...Object.fromEntries(named), ...(paths.length === 1 ? { capabilities: first } : {}) });
    },
  }),
];

function describe(caller: Caller, namespace: ApiRequest['namespace'], path: string): Capability[] | ['root'] {
  if (caller.token.policies.includes('root')) return ['root'];
  // A slash at the end asks about the folder, which is what lists are of.
  const given = capabilitiesOf(caller, namespace, canonicalPath(encode(path)), {
    isList: path.endsWith('/'),
  });
  return given.size === 0 ? ['deny'] : CAPABILITIES.filter((capability) => given.has(capability));
}

function encode(path: string): string {
  try {
    return encodeURI(path);
  } catch {
    throw badRequest('a path holds half of a surrogate pair');
  }
}
