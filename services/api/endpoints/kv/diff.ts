import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import { lookUpVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import { isJsonObject, parseLossless } from '../../../../libs/validation/lossless.ts';
import { versionDiffAnswer, type VersionDiffAnswer } from '../../contract/secrets.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { secretOf, versionOf } from './request.ts';

const version = (description: string) => Type.Integer({ minimum: 1, description });

/** Which keys differ between two versions of a secret. */
export const kvDiffEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/~kv2/diff/*path',
    access: 'policy',
    summary: 'Compare two versions of a secret key by key; values are not shown',
    answers: { 200: { data: versionDiffAnswer } },
    query: Type.Object({ from: version('The older version.'), to: version('The newer version.') }),
    handle: async (request) => {
      const { from, to } = request.query;
      const before = await readKeys(request, from);
      const after = await readKeys(request, to);
      const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
      return ok({
        from,
        to,
        keys: Object.fromEntries(keys.map((key) => [key, compare(before, after, key)])),
      } satisfies VersionDiffAnswer);
    },
  }),
];

type Keys = Record<string, unknown>;

async function readKeys(
  { services, mount }: Pick<ApiRequest, 'services' | 'mount'>,
  number: number,
): Promise<Keys> {
  const stored = await lookUpVersion(services.db, secretOf({ mount }), versionOf({ version: number }));
  if (!stored) throw notFound(`there is no version ${number}`);
  const json = openVersion(services.keyring, stored);
  if (json === null) throw badRequest(`version ${number} is deleted and cannot be compared`);
  const data = parseLossless(json);
  return isJsonObject(data) ? data : {};
}

function compare(before: Keys, after: Keys, key: string): VersionDiffAnswer['keys'][string] {
  if (!Object.hasOwn(before, key)) return 'added';
  if (!Object.hasOwn(after, key)) return 'removed';
  return isDeepStrictEqual(before[key], after[key]) ? 'same' : 'changed';
}
