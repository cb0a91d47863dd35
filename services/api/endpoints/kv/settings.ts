import { Type, type Static } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';

/** The largest number that a limit can be. */
export const LARGEST_LIMIT = 2 ** 31 - 1;

/** Limits that a mount and a secret can both have. */
export const limitsBody = {
  max_versions: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LARGEST_LIMIT,
      description: 'Maximum number of versions that are kept. 0: not set here.',
    }),
  ),
  cas_required: Type.Optional(
    Type.Boolean({ description: 'Whether each write must send the current version (`cas`).' }),
  ),
  delete_version_after: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      description: 'How long a version lives: seconds, or a duration such as 1h30m. 0: for ever.',
    }),
  ),
};

const limits = Type.Object(limitsBody);

export type Limits = { max_versions?: number; cas_required?: boolean; delete_version_after_seconds?: number };

/** Throws 400 for an invalid time, or for a negative one where that has no meaning. */
export function limitsOf(body: Static<typeof limits>, options: { allowNegative: boolean }): Limits {
  const { max_versions: most, cas_required: cas, delete_version_after: after } = body;
  return {
    ...(most === undefined ? {} : { max_versions: most }),
    ...(cas === undefined ? {} : { cas_required: cas }),
    ...(after === undefined
      ? {}
      : { delete_version_after_seconds: lifetimeOf(after, options.allowNegative) }),
  };
}

function lifetimeOf(given: string | number, allowNegative: boolean): number {
  const seconds = parseDuration(given);
  if (seconds === undefined)
    throw badRequest('delete_version_after must be seconds or a duration such as 1h30m');
  if (seconds < 0 && !allowNegative) throw badRequest('delete_version_after must not be negative');
  return seconds;
}
