import { notFound } from '../../../../libs/errors/request-error.ts';
import { deleteAuthRole, listAuthRoles } from '../../../../libs/store/auth/roles.ts';
import { keysAnswer } from '../../contract/schema.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { authMountOf } from './token-rules.ts';

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
