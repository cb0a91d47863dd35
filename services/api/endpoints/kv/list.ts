import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { listChildren } from '../../../../libs/store/secrets/list.ts';
import { endpoint, ok, type ApiRequest } from '../../routing/endpoint.ts';
import { secretAt } from './request.ts';
import { keysAnswer } from '../../contract/schema.ts';

const listQuery = Type.Object({
  after: Type.Optional(Type.String({ description: 'The last key of the previous page.' })),
  limit: Type.Optional(Type.Integer({ description: 'Maximum number of keys. Absent, 0 or negative: all.' })),
  exclude_deleted: Type.Optional(
    Type.Boolean({
      description: 'Leave out secrets whose current version is deleted. Folders are still listed.',
    }),
  ),
});

/** A row that lists the direct children of a folder; `folderOf` finds the folder in the path within the mount. */
export function listRow(path: string, folderOf: (rest: string) => string) {
  return endpoint({
    method: 'LIST',
    path,
    access: 'policy',
    summary: 'List the secrets and subfolders of a folder',
    answers: { 200: { data: keysAnswer } },
    query: listQuery,
    handle: async (request) => list(request, folderOf(request.mount?.rest ?? '')),
  });
}

async function list(
  {
    services,
    mount,
    query,
  }: Pick<ApiRequest, 'services' | 'mount'> & {
    query: { after?: string; limit?: number; exclude_deleted?: boolean };
  },
  folder: string,
) {
  const keys = await listChildren(services.db, {
    ...secretAt({ mount }, folder),
    folder,
    ...(query.after ? { after: query.after } : {}),
    ...(query.limit && query.limit > 0 ? { limit: query.limit } : {}),
    excludeDeleted: query.exclude_deleted ?? false,
  });
  if (keys.length === 0) throw notFound();
  return ok({ keys });
}
