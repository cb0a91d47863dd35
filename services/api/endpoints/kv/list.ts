import { Type } from 'typebox';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import { childPages, listChildren } from '../../../../libs/store/secrets/list.ts';
import { endpoint, ok, type ApiRequest } from '../../routing/endpoint.ts';
import { streamedKeys } from '../../routing/streamed.ts';
import { describeReadable } from '../describe-readable.ts';
import { secretAt } from './request.ts';
import { folderAnswer, type FolderAnswer } from '../../contract/secrets.ts';

// The rights on each secret are checked separately.
const MOST_DETAILED = 500;

const listQuery = Type.Object({
  after: Type.Optional(Type.String({ description: 'The last key of the previous page.' })),
  limit: Type.Optional(Type.Integer({ description: 'Maximum number of keys. Absent, 0 or negative: all.' })),
  exclude_deleted: Type.Optional(
    Type.Boolean({
      description: 'Leave out secrets whose current version is deleted. Folders are still listed.',
    }),
  ),
  details: Type.Optional(
    Type.Boolean({
      description: `Also tell the version, the last change and the links of each secret whose metadata the caller may read. At most ${MOST_DETAILED} keys.`,
    }),
  ),
});

type ListQuery = { after?: string; limit?: number; exclude_deleted?: boolean; details?: boolean };

/** A row that lists the direct children of a folder; `folderOf` finds the folder in the path within the mount. */
export function listRow(path: string, folderOf: (rest: string) => string) {
  return endpoint({
    method: 'LIST',
    path,
    access: 'policy',
    summary: 'List the secrets and subfolders of a folder',
    answers: { 200: { data: folderAnswer } },
    query: listQuery,
    handle: async (request) => list(request, folderOf(request.mount?.rest ?? '')),
  });
}

async function list(request: ApiRequest<unknown, ListQuery>, folder: string) {
  const { services, mount, query } = request;
  const limit = query.limit && query.limit > 0 ? query.limit : query.details ? MOST_DETAILED : undefined;
  if (query.details && limit && limit > MOST_DETAILED)
    throw badRequest(`with details, limit must be at most ${MOST_DETAILED}`);
  const wanted = {
    ...secretAt({ mount }, folder),
    folder,
    ...(query.after ? { after: query.after } : {}),
    excludeDeleted: query.exclude_deleted ?? false,
  };
  if (!limit) return streamedKeys(() => childPages(services.db, wanted));
  const keys = await listChildren(services.db, { ...wanted, limit });
  if (keys.length === 0) throw notFound();
  return ok(query.details ? { keys, key_info: await describeKeys(request, folder, keys) } : { keys });
}

async function describeKeys(
  request: ApiRequest,
  folder: string,
  keys: string[],
): Promise<NonNullable<FolderAnswer['key_info']>> {
  const { mount } = request;
  if (!mount) throw notFound();
  const prefix = folder === '' ? '' : `${folder}/`;
  const paths = keys.filter((key) => !key.endsWith('/')).map((key) => prefix + key);
  const described = await describeReadable(request, mount.mount, paths);
  return Object.fromEntries([...described].map(([path, info]) => [path.slice(prefix.length), info]));
}
