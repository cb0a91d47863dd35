/** Answers about tokens. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, nullable, texts, time } from './schema.ts';

const text = Type.String();
const integer = Type.Integer();
const seconds = Type.Integer({ description: 'Seconds.' });

const properties = {
  accessor: text,
  creation_time: Type.Integer({ description: 'Seconds since 1970.' }),
  creation_ttl: seconds,
  display_name: text,
  entity_id: text,
  expire_time: nullable(time),
  explicit_max_ttl: seconds,
  id: Type.String({ description: 'The token itself if the caller sent it, otherwise empty.' }),
  issue_time: time,
  meta: nullable(byName(text)),
  num_uses: integer,
  orphan: Type.Boolean(),
  path: text,
  policies: texts,
  renewable: Type.Boolean(),
  ttl: Type.Integer({ description: 'Seconds that are left. 0: the token never expires.' }),
  type: text,
  period: Type.Optional(seconds),
  role: Type.Optional(text),
  bound_cidrs: Type.Optional(texts),
  namespace_path: Type.Optional(text),
};

export const tokenAnswer = closed(properties);

export type TokenAnswer = Static<typeof tokenAnswer>;

const listedTokenAnswer = closed({
  ...properties,
  last_used_time: Type.Optional(time),
  created_by: Type.Optional(
    Type.String({ description: 'Display name of the token that made it and still exists.' }),
  ),
  tokens_below: Type.Integer({ description: 'How many tokens end with it, because they were made with it.' }),
  sessions: Type.Integer({ description: 'How many browser sessions act for it or for a token below it.' }),
  missing_policies: Type.Optional(
    Type.Array(text, { description: 'Those of its policies that do not exist, and may be written later.' }),
  ),
});

/** A token of the list also tells what a look-up does not. */
export type ListedTokenAnswer = Static<typeof listedTokenAnswer>;

export const tokensAnswer = closed({
  tokens: Type.Array(listedTokenAnswer),
  next_before: nullable(integer),
});

export type TokensAnswer = Static<typeof tokensAnswer>;

/** A token that was made or renewed. Only this answer shows the token. A log-in tells less. */
export const authAnswer = closed({
  client_token: text,
  accessor: text,
  policies: texts,
  token_policies: texts,
  metadata: nullable(byName(text)),
  lease_duration: Type.Integer({ description: 'Seconds that are left. 0: the token never expires.' }),
  renewable: Type.Boolean(),
  entity_id: text,
  token_type: text,
  orphan: Type.Boolean(),
  mfa_requirement: Type.Optional(Type.Null()),
  num_uses: Type.Optional(integer),
});

export type AuthAnswer = Static<typeof authAnswer>;

/** The token that fetches a wrapped answer once. */
export const wrapInfoAnswer = closed({
  token: text,
  accessor: text,
  ttl: seconds,
  creation_time: time,
  creation_path: text,
  wrapped_accessor: Type.String({
    description: 'The accessor of the token that was made, if the answer holds one.',
  }),
});

export type WrapInfoAnswer = Static<typeof wrapInfoAnswer>;

const role = {
  allowed_policies: texts,
  allowed_policies_glob: texts,
  disallowed_policies: texts,
  disallowed_policies_glob: texts,
  orphan: Type.Boolean(),
  renewable: Type.Boolean(),
  path_suffix: text,
  token_explicit_max_ttl: seconds,
  token_period: seconds,
  token_bound_cidrs: texts,
  token_no_default_policy: Type.Boolean(),
  token_num_uses: integer,
  token_type: text,
};

export const tokenRoleAnswer = closed({
  name: text,
  ...role,
  explicit_max_ttl: seconds,
  period: seconds,
  allowed_entity_aliases: texts,
});

const holder = {
  name: Type.String({ description: 'Display name.' }),
  user: nullable(text, 'The person who logged in and got the token.'),
  expire_time: nullable(time, 'Null: it never expires.'),
  sessions: Type.Integer({ description: 'How many browser sessions act for it.' }),
};

const giver = {
  kind: Type.Enum(['token', 'approle', 'jwt', 'kubernetes', 'team'], {
    description: 'A role of tokens or of an auth method, or a team of single sign-on.',
  }),
  mount: nullable(text, 'The path of the auth method.'),
  name: text,
};

export const policyHoldersAnswer = closed({
  name: text,
  tokens: Type.Array(closed(holder), { description: 'The newest 50.' }),
  roles: Type.Array(closed(giver), { description: 'What gives the policy to tokens that are made later.' }),
  totals: closed({ tokens: integer, sessions: integer, roles: integer }),
  is_complete: Type.Boolean({ description: 'False: there are more than were looked at.' }),
});

/** Who has a policy. */
export type PolicyHoldersAnswer = Static<typeof policyHoldersAnswer>;

const where = {
  namespace: Type.String({ description: 'Path of the namespace that it belongs to. Empty: root.' }),
  policies: Type.Array(text, { description: 'Those that give the right.' }),
};

export const readersAnswer = closed({
  path: Type.String({ description: 'Mount and path of the secret.' }),
  tokens: Type.Array(closed({ ...holder, ...where, accessor: text, bound_cidrs: texts })),
  roles: Type.Array(closed({ ...giver, ...where })),
  total_tokens: Type.Integer({ description: 'How many tokens may read it; the answer has the newest 500.' }),
  is_complete: Type.Boolean({ description: 'False: there are more tokens or roles than were looked at.' }),
});

/** Who may read the values of a secret. */
export type ReadersAnswer = Static<typeof readersAnswer>;
