import type { Method } from '../routing/endpoint.ts';
import type { DocumentedRow } from './rows.ts';

const WRITES = new Set<Method>(['POST', 'PUT', 'PATCH', 'DELETE']);

// Paths that the middleware does not limit.
const UNLIMITED = /^\/(sys\/health$|health\/|\.well-known\/|identity\/oidc\/secrets-sync\/)/;

/** Statuses of some calls only, in addition to those that follow from the kind of call. */
const SPECIAL: { path: RegExp; methods: Method[]; statuses: number[] }[] = [
  { path: /^\/sys\/sync\/destinations\//, methods: ['POST', 'PATCH', 'PUT', 'DELETE'], statuses: [409] },
  { path: /^\/sys\/(mounts|namespaces)\//, methods: ['POST', 'PUT', 'DELETE'], statuses: [409] },
  {
    path: /^\/api\/v2\/admin\/.*settings/,
    methods: ['PATCH', 'POST', 'PUT', 'DELETE'],
    statuses: [400, 409],
  },
  {
    path: /^\/api\/v2\/admin\/(policy-engine|opa|sentinel)-versions\/:id$/,
    methods: ['PATCH'],
    statuses: [409],
  },
  { path: /^\/api\/v2\/admin\/smtp-settings$/, methods: ['PATCH'], statuses: [401, 504] },
  { path: /^\/api\/v2\/admin\/sms-settings\/verify$/, methods: ['POST', 'PATCH'], statuses: [504] },
  { path: /^\/api\/v2\/admin\/saml-settings$/, methods: ['PATCH'], statuses: [403] },
  { path: /^\/auth\/session\/saml$/, methods: ['GET', 'POST'], statuses: [403] },
  { path: /^\/~\w+\/login$/, methods: ['POST', 'PUT'], statuses: [403] },
  { path: /^\/users\/saml\/auth$/, methods: ['POST'], statuses: [401, 409, 422] },
  { path: /^\/users\/saml\//, methods: ['GET'], statuses: [409, 422] },
];

/** The statuses with which a call may be refused, in order. */
export function refusalsOf(row: DocumentedRow, method: Method): number[] {
  const isAdmin = row.dialect === 'admin';
  const isPublic = row.access === 'public';
  const writes = WRITES.has(method);
  const statuses = [
    400,
    ...(isPublic ? [] : isAdmin ? [401, 404] : [403]),
    ...(isAdmin || isPublic ? [] : [404, 405]),
    ...(/^\/(?:users|docs|identity\/oidc\/secrets-sync)\//.test(row.path) ? [404] : []),
    ...(row.isConditional || row.takesIfNoneMatch ? [412] : []),
    ...(writes ? [413, 415] : []),
    ...(isAdmin ? [422] : []),
    ...(UNLIMITED.test(row.path) ? [] : [429]),
    500,
    503,
    ...SPECIAL.filter(({ path, methods }) => path.test(row.path) && methods.includes(method)).flatMap(
      ({ statuses: more }) => more,
    ),
  ];
  return [...new Set(statuses)].toSorted((left, right) => left - right);
}
