/** Answers about destinations. Other code imports only the types, so that it loads nothing. */

import { Type, type Static, type TSchema } from 'typebox';
import { ofStore } from './associations.ts';
import { anyObject, byName, closed, nullable, texts, time } from './schema.ts';
import { pauseAnswer, wasPaused } from './pause.ts';

/**
 * The revision of a thing, and who made it and when; null if that was not recorded. `If-Match` takes the revision in
 * quotes.
 */
export const changedAnswer = closed({
  revision: Type.String(),
  changed_at: nullable(time),
  changed_by: nullable(Type.String()),
});

export type ChangedAnswer = Static<typeof changedAnswer>;

const destinationOptionsAnswer = closed({
  granularity_level: Type.Enum(['secret-path', 'secret-key']),
  secret_name_template: Type.String(),
  custom_tags: Type.Optional(byName(Type.String(), 'Absent if the store has no tags.')),
  conflict_policy: Type.Enum(['refuse', 'overwrite', 'adopt']),
  deletion_policy: Type.Enum(['delete', 'retain']),
  on_latest_deleted: Type.Enum(['previous', 'remove']),
  drift_check: Type.Boolean(),
  owner_check_seconds: Type.Integer(),
});

/** A destination with these connection details. */
export function destinationAnswerOf<Details extends TSchema>(details: Details) {
  return closed({
    name: Type.String(),
    type: Type.String(),
    connection_details: details,
    options: destinationOptionsAnswer,
    paused: Type.Optional(pauseAnswer),
    purge_initiated_at: Type.Optional(time),
    purge_error: Type.Optional(Type.String()),
  });
}

/** A destination of any type. */
export const destinationAnswer = destinationAnswerOf(anyObject);

/** A destination that was paused or resumed. */
export const pausedDestinationAnswer = closed({ ...destinationAnswer.properties, was_paused: wasPaused });

export type DestinationAnswer = Static<typeof destinationAnswer>;

const destinationEventAnswer = closed({
  id: Type.Integer(),
  at: time,
  actor: Type.String(),
  address: nullable(Type.String(), 'Where the request came from.'),
  action: Type.String(),
  outcome: Type.String(),
  status: nullable(Type.Integer()),
  detail: nullable(anyObject, 'Names only, such as which settings or which secret.'),
});

/** One change of a destination. */
export type DestinationEventAnswer = Static<typeof destinationEventAnswer>;

export const destinationHistoryAnswer = closed({ ...ofStore, history: Type.Array(destinationEventAnswer) });

export type DestinationHistoryAnswer = Static<typeof destinationHistoryAnswer>;

export const credentialsAnswer = closed({
  ...ofStore,
  in_use: byName(
    Type.String(),
    'What names the credentials, such as the ID of a key, by setting. No secret.',
  ),
});

export type CredentialsAnswer = Static<typeof credentialsAnswer>;

export const identityAnswer = closed({
  ...ofStore,
  mode: nullable(
    Type.Enum(['static', 'app', 'federated', 'ambient']),
    'How the destination proves who it is: stored credentials, a GitHub app, identity tokens, or the own identity of the worker. Null if it does not exist yet.',
  ),
  iss: nullable(Type.String(), 'Issuer of its identity tokens. Null if the type has none.'),
  sub: nullable(Type.String(), 'Subject of its identity tokens. Null if the type has none.'),
  aud: nullable(Type.String(), 'Audience of its identity tokens. Null if it has none.'),
  role_session_name: nullable(Type.String(), 'The name of its sessions with an AWS role.'),
});

export type IdentityAnswer = Static<typeof identityAnswer>;

export const destinationListAnswer = closed({
  keys: texts,
  key_info: byName(texts, 'The names of the destinations, by type.'),
  total_destinations: Type.Integer(),
});

export type DestinationListAnswer = Static<typeof destinationListAnswer>;

export const destinationsOfTypeAnswer = closed({ keys: texts, total_destinations: Type.Integer() });

export const githubAppAnswer = closed({
  name: Type.String(),
  app_id: Type.Integer(),
  fingerprint: Type.String({
    description: 'SHA-256 of the public half of the key, base64, as GitHub shows it beside the key.',
  }),
  private_key: Type.String({ description: 'Always `*****`.' }),
  enterprise_url: Type.Optional(Type.String({ description: 'Absent: github.com.' })),
});

export type GithubAppAnswer = Static<typeof githubAppAnswer>;
