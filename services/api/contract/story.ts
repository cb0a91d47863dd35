/** The answer about the story of a secret. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { causeAnswer, entryName } from './associations.ts';
import { waitedAnswer } from './pause.ts';
import { anyObject, closed, nullable, time } from './schema.ts';
import { changeAnswer } from './secrets.ts';

const textOrNull = nullable(Type.String());
const line = { at: time, by: textOrNull };

const storyLineAnswer = Type.Union([
  closed(
    {
      kind: Type.Literal('version'),
      ...line,
      version: Type.Integer(),
      deleted_at: nullable(time),
      destroyed: Type.Boolean(),
    },
    'A version that is still kept.',
  ),
  closed(
    {
      kind: Type.Literal('push'),
      ...line,
      destination: nullable(
        closed({ type: Type.String(), name: Type.String() }),
        'Null: the destination was gone before its name was kept.',
      ),
      sub_key: Type.String(),
      external_name: entryName,
      action: Type.String(),
      version: nullable(Type.Integer()),
      outcome: Type.String(),
      cause: nullable(causeAnswer),
      trigger: textOrNull,
      waited: waitedAnswer,
      change: changeAnswer,
    },
    'An attempt at an entry in a store.',
  ),
  closed(
    {
      kind: Type.Enum(['read', 'reveal', 'link', 'unlink', 'change']),
      ...line,
      accessor: textOrNull,
      auth_method: textOrNull,
      address: textOrNull,
      action: Type.String(),
      path: Type.String(),
      outcome: Type.String(),
      status: nullable(Type.Integer()),
      request_id: textOrNull,
      detail: nullable(anyObject),
    },
    'An entry of the audit trail.',
  ),
]);

export type StoryLineAnswer = Static<typeof storyLineAnswer>;

export const storyAnswer = closed({
  mount: Type.String(),
  path: Type.String(),
  story: Type.Array(storyLineAnswer),
  next_after: textOrNull,
});

export type StoryAnswer = Static<typeof storyAnswer>;
