import { Type, type Static } from 'typebox';
import { SHARED_CAUSES } from '../../../../libs/connector/causes.ts';
import { ENGINE_CAUSES } from '../../../../libs/connector/engine-causes.ts';
import type { RowFilter } from '../../../../libs/store/associations/rows.ts';
import { STATUSES } from '../../../../libs/store/associations/status.ts';
import { catalog } from '../../../connectors/catalog.ts';
import { secretsSchema } from './bulk.ts';
import { namedSecret } from './common.ts';

const CAUSES = [
  ...new Set(
    [SHARED_CAUSES, ENGINE_CAUSES, ...catalog.map(({ causes = {} }) => causes)].flatMap(Object.keys),
  ),
];

// A word that no association can have would match nothing, and read as if nothing failed. Empty words ask for nothing.
const oneOf = (words: readonly string[], description?: string) =>
  Type.Unsafe<string>({ type: 'string', enum: ['', ...words], ...(description ? { description } : {}) });

/** Which associations a call is about. */
export const rowFilter = {
  status: Type.Optional(
    Type.Array(oneOf(STATUSES), { description: 'Only associations in one of these statuses.' }),
  ),
  cause: Type.Optional(oneOf(CAUSES, 'Only associations that fail with this cause code.')),
  q: Type.Optional(Type.String({ description: 'Only associations whose mount and path contain this text.' })),
  prefix: Type.Optional(
    Type.String({ description: 'Only associations whose mount and path start with this text.' }),
  ),
};

/** Which associations a retry is about. */
export const retryFilter = { ...rowFilter, secrets: Type.Optional(secretsSchema) };

/**
 * For bodies that say which secrets a call is about. A misspelt filter would select everything, so an unknown field is
 * refused here, unlike in other bodies.
 */
export const NO_OTHER_FIELDS = { additionalProperties: false };

/** Asks for the associations that will carry out what a person asked for, for lists of them. */
export const waitingFilter = Type.Optional(
  Type.Boolean({
    description:
      'Only associations that carry out what a person asked for once a pause ends, or then undo a known change or deletion in the store; see `waiting`.',
  }),
);

const filterSchema = Type.Object(retryFilter, NO_OTHER_FIELDS);

/** The filter of a call. Empty fields do not limit anything. */
export function filterOf({
  status,
  cause,
  q,
  prefix,
  secrets,
  waiting,
}: Static<typeof filterSchema> & { waiting?: boolean }): RowFilter {
  const statuses = status?.filter(Boolean);
  return {
    status: statuses && statuses.length > 0 ? statuses : undefined,
    cause: cause || undefined,
    search: q || undefined,
    prefix: prefix || undefined,
    secrets: secrets?.map(namedSecret),
    isAsked: waiting,
  };
}
