/** Answers about browser sessions and the ways to sign in. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, nullable, texts, time } from './schema.ts';

const origin = {
  browser: nullable(
    Type.String(),
    'A word, such as Firefox. Null: it named none that is known, or the session is older than this field.',
  ),
  system: nullable(Type.String(), 'The same for its system, such as Linux.'),
  address: nullable(Type.String(), 'Where the session began.'),
};

export const sessionAnswer = closed({
  csrf: Type.String(),
  accessor: Type.String(),
  display_name: Type.String(),
  policies: texts,
  namespace_path: Type.String(),
  ...origin,
  created_time: time,
  expire_time: time,
  idle_seconds: Type.Integer(),
  idle_remaining_seconds: Type.Integer({
    description: 'Seconds until the session ends if nobody uses it.',
  }),
  remaining_seconds: Type.Integer({ description: 'Seconds until the session ends in any case.' }),
});

export type SessionAnswer = Static<typeof sessionAnswer>;

const listedSessionAnswer = closed({
  accessor: Type.String(),
  display_name: Type.String(),
  policies: texts,
  ...origin,
  created_time: time,
  last_used_time: time,
  expire_time: time,
  is_own: Type.Boolean({ description: "The session belongs to the caller's own token." }),
  is_current: Type.Boolean(),
});

/** `expire_time` is when the session ends in any case. */
export type ListedSessionAnswer = Static<typeof listedSessionAnswer>;

export const sessionsAnswer = closed({
  keys: texts,
  key_info: byName(listedSessionAnswer),
  next_after: nullable(Type.String(), 'Send it as `after` for the next page.'),
});

export const teamAnswer = closed({ policies: texts, changed_at: time, changed_by: nullable(Type.String()) });

/** The policies of the members of a team. */
export type TeamAnswer = Static<typeof teamAnswer>;

export const teamsAnswer = closed({ keys: texts, key_info: byName(teamAnswer) });

export type TeamsAnswer = Static<typeof teamsAnswer>;

export type SessionsAnswer = Static<typeof sessionsAnswer>;

export const namespaceChoiceAnswer = closed({
  namespaces: Type.Array(Type.String(), {
    description: 'Their paths, each with a slash; empty text: the root. An empty list: there is no choice.',
  }),
});

/** The namespaces that a person may sign in to. */
export type NamespaceChoiceAnswer = Static<typeof namespaceChoiceAnswer>;

export const signInMethodsAnswer = closed({
  saml: Type.Boolean(),
  help: Type.String({ description: 'A text of the operator.' }),
  support: nullable(Type.String(), 'Whom to ask.'),
});

/** The ways to sign in. */
export type SignInMethodsAnswer = Static<typeof signInMethodsAnswer>;

export const welcomeAnswer = closed({
  text: Type.String({ description: 'A text of the operator for people without rights; it may be empty.' }),
  support: nullable(Type.String(), 'Whom to ask.'),
});

/** What somebody reads who has signed in and has no rights yet. */
export type WelcomeAnswer = Static<typeof welcomeAnswer>;

export const loginAnswer = closed({
  username: Type.String(),
  groups: texts,
  site_admin: Type.Boolean(),
  debug: Type.Optional(
    closed(
      { attributes: byName(texts), response_xml: Type.String() },
      'For site administrators, if `debug` is on.',
    ),
  ),
});

/** Who logged in by single sign-on. */
export type LoginAnswer = Static<typeof loginAnswer>;
