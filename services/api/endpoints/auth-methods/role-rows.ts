import type { Static, TObject } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import {
  deleteAuthRole,
  findAuthRole,
  listAuthRoles,
  writeAuthRole,
  type AuthRole,
  type TokenRules,
} from '../../../../libs/store/auth/roles.ts';
import { describeFields, describeWrite } from '../../../../libs/validation/changes.ts';
import { requireNone } from '../../../../libs/validation/preconditions.ts';
import { keysAnswer } from '../../contract/schema.ts';
import {
  endpoint,
  noContent,
  ok,
  type ApiRequest,
  type Endpoint,
  type Reply,
} from '../../routing/endpoint.ts';
import { authMountOf, checkRoleName, refuseSession } from './token-rules.ts';

/** Lists the roles of an auth method of a type. */
export const listRolesOf = (type: string): Endpoint =>
  endpoint({
    method: 'LIST',
    path: `/~${type}/role`,
    access: 'policy',
    summary: 'List the roles',
    answers: { 200: { data: keysAnswer } },
    handle: async (request) => {
      const keys = await listAuthRoles(request.services.db, authMountOf(request).id);
      if (keys.length === 0) throw notFound();
      return ok({ keys });
    },
  });

/** Writes a role of an auth method of a type, with the fields of `body`. */
export const writeRoleOf = <Body extends TObject>(
  type: string,
  body: Body,
  handle: (request: ApiRequest<Static<Body>>) => Promise<Reply<never>>,
): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/~${type}/role/:name`,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Write a role; absent fields keep their values',
    answers: { 204: {} },
    takesIfNoneMatch: true,
    body,
    exists: async (request) => (await findRole(request)) !== undefined,
    asked: (request) => describeFields(request.body as Record<string, unknown>),
    handle,
  });

/** Deletes a role of an auth method of a type. */
export const deleteRoleOf = (type: string, summary: string): Endpoint =>
  endpoint({
    method: 'DELETE',
    path: `/~${type}/role/:name`,
    access: 'policy',
    summary,
    answers: { 204: {} },
    handle: async (request) => {
      const name = request.params['name'] ?? '';
      const isDeleted = await deleteAuthRole(request.services.db, authMountOf(request).id, name);
      request.note({ change: isDeleted ? 'deleted' : 'none' });
      return noContent();
    },
  });

/** The role that a request names. */
export async function findRole<Rules>(request: ApiRequest): Promise<AuthRole<Rules> | undefined> {
  return findAuthRole(request.services.db, authMountOf(request).id, request.params['name'] ?? '');
}

/** Throws 412 if a request makes only a new role, and there is one of its name. */
export function requireNew(request: ApiRequest, before: AuthRole | undefined): void {
  const name = request.params['name'] ?? '';
  requireNone(request.header('if-none-match'), before !== undefined, `the role ${name}`);
}

/** Writes the role that a request names: the changes to it, or to a new one. `check` throws 400 for what no role may be. */
export async function writeRole<Rules extends object>(
  request: ApiRequest,
  options: {
    newRole: TokenRules & Rules;
    changes: () => Partial<TokenRules & Rules> | Promise<Partial<TokenRules & Rules>>;
    check: (settings: TokenRules & Rules) => void;
  },
) {
  refuseSession(request);
  const name = request.params['name'] ?? '';
  checkRoleName(name);
  const changes = await options.changes();
  const mountId = authMountOf(request).id;
  await writeAuthRole<Rules>(request.services.db, { mountId, name }, (before) => {
    requireNew(request, before);
    const settings = { ...(before?.settings ?? options.newRole), ...changes };
    options.check(settings);
    request.note(describeWrite(before?.settings, settings, options.newRole));
    return { settings, role_id: null };
  });
  return noContent();
}
