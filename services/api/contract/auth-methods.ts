/** Answers about what hangs on auth methods. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, texts, time } from './schema.ts';

export const authUsageAnswer = closed({
  roles: Type.Integer(),
  secret_ids: Type.Integer(),
  tokens: Type.Integer({ description: 'Tokens that its log-ins gave, and that are still valid.' }),
  is_complete: Type.Boolean({ description: 'False: there are more than were counted.' }),
});

/** What hangs on an auth method. */
export type AuthUsageAnswer = Static<typeof authUsageAnswer>;

const listedSecretIdAnswer = closed({
  creation_time: time,
  expiration_time: Type.String({ description: '`0001-01-01T00:00:00Z`: it does not expire.' }),
  secret_id_num_uses: Type.Integer({ description: 'The uses that are left. 0: any number.' }),
});

export const secretIdsAnswer = closed({ keys: texts, key_info: byName(listedSecretIdAnswer) });

/** The secret ids of a role, by their accessors. */
export type SecretIdsAnswer = Static<typeof secretIdsAnswer>;
