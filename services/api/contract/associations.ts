/** Answers about associations: their status, and what was tried. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { askedAnswer, waitedAnswer, waitingAnswer } from './pause.ts';
import { byName, closed, nullable, sentTime, time } from './schema.ts';
import { changeAnswer } from './secrets.ts';

const integerOrNull = nullable(Type.Integer());

/** Why a status is not `SYNCED`. */
export const causeAnswer = closed({ class: Type.String(), code: Type.String(), message: Type.String() });

const driftAnswer = closed(
  {
    code: Type.String(),
    since: Type.String({ description: 'Since when the change is known.' }),
    written: nullable(Type.String(), 'How the keyed fingerprint of the value that was written begins.'),
    found: nullable(Type.String(), 'The same of the value that was found.'),
    foreign: Type.Boolean({
      description:
        'Whether the entry there is no longer Sealift’s: someone deleted it and made it again, or took the mark of Sealift away. A new version leaves it as it is, and the association fails with a conflict, unless the conflict policy decides that.',
    }),
  },
  'A known change in the store.',
);

export type DriftAnswer = Static<typeof driftAnswer>;

const lastFailure = Type.Optional(
  closed(
    { class: Type.String(), code: Type.String(), message: Type.String(), since: Type.String() },
    'Why the last attempt failed, or that the store limits the rate, and since when. There while `cause` is null, because the next attempt is due or runs.',
  ),
);

const otherEntries = Type.Optional(
  Type.Array(closed({ external_name: Type.String(), synced_version: integerOrNull }), {
    description:
      'While the name of the entry changes: entries with other names that the store has in its place. The one with the new name is written before the former one is deleted.',
  }),
);

/** An entry of an association in the store: one for each key, or one for the whole secret. */
export const recordAnswer = closed({
  accessor: Type.String(),
  mount: Type.String(),
  secret_name: Type.String(),
  sub_key: Type.String(),
  external_name: Type.String(),
  secret_name_template: nullable(Type.String(), 'Its own template for names; null: that of the destination.'),
  sync_status: Type.String(),
  updated_at: time,
  source_version: integerOrNull,
  synced_version: integerOrNull,
  other_entries: otherEntries,
  cause: nullable(causeAnswer),
  last_failure: lastFailure,
  drift: nullable(driftAnswer),
  attempts: Type.Integer(),
  next_attempt_at: nullable(
    time,
    'When the next attempt is due. While a store fails as a whole, a worker may begin it up to 30 seconds later. Null while a pause without an end holds it back.',
  ),
  running: Type.Optional(Type.Literal(true, { description: 'A worker is trying it now.' })),
  out_of_sync_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Since when the store lacks a version that was saved, or is known to have something else than was written.',
    }),
  ),
  in_doubt: Type.Optional(
    Type.Literal(true, {
      description:
        'A call that got no answer may have written a newer version than `synced_version`, or deleted the entry. It is tried again.',
    }),
  ),
  unconfirmed: Type.Optional(
    Type.Enum(['write', 'delete'], {
      description:
        'What was done in the store and is done once more, because an older call that was given up could still take effect.',
    }),
  ),
  ...askedAnswer,
});

export type RecordAnswer = Static<typeof recordAnswer>;

/** The destination of an answer, as the path named it. */
export const ofStore = { store_name: Type.String(), store_type: Type.String() };

/** Associations of a destination; `next_after` is absent if no limit was sent. */
export const recordsAnswer = closed({
  ...ofStore,
  associated_secrets: byName(recordAnswer, 'By `{accessor}/{secret}[/{key}]`.'),
  next_after: Type.Optional(nullable(Type.String())),
});

export type RecordsAnswer = Static<typeof recordsAnswer>;

/** The entry that a line of the history is about. */
export const entryName = nullable(
  Type.String(),
  'The entry in the store; null if it was about none, or was recorded by a version that did not keep names.',
);

const attempt = {
  id: Type.Integer(),
  at: time,
  sub_key: Type.String(),
  external_name: entryName,
  action: Type.String(),
  version: integerOrNull,
  version_by: nullable(Type.String(), 'Who wrote that version of the secret; null if the version is gone.'),
  trigger: nullable(
    closed({ cause: Type.String(), by: nullable(Type.String()), change: changeAnswer }),
    'Why it was tried, and who caused that; null if it is not known.',
  ),
  waited: waitedAnswer,
  outcome: Type.String(),
  cause: nullable(causeAnswer),
  ms: Type.Integer(),
};

const attemptAnswer = closed(attempt);

export type AttemptAnswer = Static<typeof attemptAnswer>;

export const attemptsAnswer = closed({ ...ofStore, history: Type.Array(attemptAnswer) });

const destinationAttemptAnswer = closed({
  ...attempt,
  mount: nullable(Type.String(), 'Null: the namespace does not have the mount any more.'),
  secret_name: Type.String(),
});

/** An attempt at any secret of a destination. */
export type DestinationAttemptAnswer = Static<typeof destinationAttemptAnswer>;

export const destinationAttemptsAnswer = closed({
  ...ofStore,
  attempts: Type.Array(destinationAttemptAnswer),
  next_before: nullable(Type.Integer(), '`before` of the next page; null at the end.'),
});

export type DestinationAttemptsAnswer = Static<typeof destinationAttemptsAnswer>;

/** Whether a problem is one of the whole destination. */
export const scope = Type.Enum(['destination', 'association']);

const rowAnswer = closed({
  mount: Type.String(),
  accessor: Type.String(),
  secret_name: Type.String(),
  sync_status: Type.String(),
  cause: nullable(causeAnswer),
  last_failure: lastFailure,
  scope,
  since: nullable(sentTime),
  next_attempt_at: nullable(sentTime),
  updated_at: sentTime,
  attempts: Type.Integer(),
  source_version: integerOrNull,
  synced_version: integerOrNull,
  entries: Type.Integer(),
  entries_in_sync: Type.Integer(),
  external_name: nullable(Type.String()),
  ...askedAnswer,
});

export type RowAnswer = Static<typeof rowAnswer>;

/** Associations as rows; `total` and `anchors` are there if the query asks for anchors. */
export const rowsAnswer = closed({
  ...ofStore,
  rows: Type.Array(rowAnswer),
  next_after: nullable(Type.String()),
  total: Type.Optional(Type.Integer()),
  anchors: Type.Optional(Type.Array(Type.String())),
});

export type RowsAnswer = Static<typeof rowsAnswer>;

/** Every secret that is linked, by its mount and path. */
export const linkedSecretsAnswer = closed({
  keys: Type.Array(Type.String()),
  key_info: byName(Type.Array(closed({ mount: Type.String(), secret_path: Type.String() }))),
  total_associations: Type.Integer(),
  total_secrets: Type.Integer(),
});

export type LinkedSecretsAnswer = Static<typeof linkedSecretsAnswer>;

export const destinationsOfSecretAnswer = closed({
  associated_destinations: byName(
    closed({
      type: Type.String(),
      name: Type.String(),
      sub_key: Type.String(),
      sync_status: Type.String(),
      updated_at: time,
      cause: nullable(causeAnswer),
      last_failure: lastFailure,
      drift: Type.Optional(
        Type.String({
          description:
            'What someone is known to have done in the store, whatever its cause is now. `changed_outside` or `gone_outside`.',
        }),
      ),
      ...askedAnswer,
    }),
    'By `{type}/{name}[/{key}]`.',
  ),
});

export type DestinationsOfSecretAnswer = Static<typeof destinationsOfSecretAnswer>;

const linkAnswer = closed({
  namespace: Type.String({ description: 'Its path. Empty: root.' }),
  mount: Type.String(),
  secret_name: Type.String(),
  type: Type.String(),
  store: Type.String({ description: 'Vendor and product.' }),
  destination: Type.String(),
  external_names: Type.Array(Type.String(), {
    description:
      'Names of the entries in the store that Sealift wrote; empty while there are none. At most 100.',
  }),
  sync_status: Type.String(),
  cause: nullable(causeAnswer),
  last_failure: lastFailure,
  since: nullable(sentTime, 'Since when it has not been in sync, for this cause or another one.'),
  updated_at: sentTime,
  waiting: Type.Optional(waitingAnswer),
});

/** A secret that is linked to a store. */
export type LinkAnswer = Static<typeof linkAnswer>;

export const linksAnswer = closed({ links: Type.Array(linkAnswer), next_after: nullable(Type.String()) });

export type LinksAnswer = Static<typeof linksAnswer>;
