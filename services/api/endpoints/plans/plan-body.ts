import { Type } from 'typebox';
import { MOST_LOOKED } from '../../../../libs/commands/connector-commands.ts';
import {
  decidedKeysSchema,
  decisionSchema,
  onlyLinkedSchema,
  onlySeenSchema,
  ownTemplateSchema,
} from '../associations/common.ts';
import { NO_OTHER_FIELDS, retryFilter } from '../associations/filter.ts';

/** The most secrets that one call plans. */
export const MOST_PLANNED = 100;

/** Whether the store is asked too. */
export const look = Type.Optional(
  Type.Boolean({
    description: `Also ask the store whether entries of others have these names, and whether our own that would be written or deleted were changed there; for a sync, a retry or an unlinking of some secrets, also those that would not be. At most ${MOST_LOOKED} entries.`,
  }),
);

/** The body of a call that plans for several secrets. */
export const planBody = Type.Object(
  {
    destination: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Settings to plan with: fields of a PATCH, or of a POST if the destination does not exist yet. They are not stored.',
      }),
    ),
    secrets: Type.Optional(
      Type.Array(
        Type.Object({
          mount: Type.String(),
          secret_name: Type.String(),
          secret_name_template: ownTemplateSchema,
        }),
        {
          maxItems: MOST_PLANNED,
          description: `The secrets to link, at most ${MOST_PLANNED}. Default: the linked secrets, page by page.`,
        },
      ),
    ),
    filter: Type.Optional(
      Type.Object(retryFilter, {
        ...NO_OTHER_FIELDS,
        description: 'Without `secrets`: only the linked secrets that match, as in a retry.',
      }),
    ),
    unlink: Type.Optional(
      Type.Boolean({
        description: 'Plan what unlinking the secrets would delete, or deleting the destination.',
      }),
    ),
    after: Type.Optional(
      Type.String({ description: '`next_after` of the previous page. Empty: the first page.' }),
    ),
    conflict_policy: decisionSchema,
    keys: decidedKeysSchema,
    only_linked: onlyLinkedSchema,
    only_seen: onlySeenSchema,
    look,
  },
  NO_OTHER_FIELDS,
);
