/** Answers about secrets. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { anyObject, byName, closed, nullable, texts, time } from './schema.ts';

const integer = Type.Integer();

const actorAnswer = closed(
  {
    actor: Type.String(),
    client_id: Type.String(),
    entity_id: Type.String(),
    operation: Type.String(),
  },
  'Who made a change. The ids are empty: Sealift has neither clients nor entities.',
);

export type ActorAnswer = Static<typeof actorAnswer>;

const limits = {
  cas_required: Type.Boolean(),
  delete_version_after: Type.String({ description: 'A duration such as `768h0m0s`; `0s`: never.' }),
  max_versions: Type.Integer({ description: '0: this level sets no limit.' }),
};

/** The limits of a secret or of a mount. */
export const limitsAnswer = closed(limits);

export type LimitsAnswer = Static<typeof limitsAnswer>;

const customMetadata = nullable(byName(Type.String()));
const deletionTime = Type.String({ description: 'Empty for a version that is not deleted.' });

const secretVersionAnswer = closed({
  created_time: time,
  created_by: nullable(actorAnswer),
  deleted_by: nullable(actorAnswer),
  deletion_time: deletionTime,
  destroyed: Type.Boolean(),
});

export const secretMetadataAnswer = closed({
  ...limits,
  created_time: time,
  current_version: integer,
  custom_metadata: customMetadata,
  last_updated_by: nullable(actorAnswer),
  oldest_version: integer,
  updated_time: time,
  versions: byName(secretVersionAnswer, 'By the number of the version.'),
});

export type SecretMetadataAnswer = Static<typeof secretMetadataAnswer>;

/** What is told about a version beside its data. */
export const versionMetadataAnswer = closed({
  created_time: time,
  custom_metadata: customMetadata,
  deletion_time: deletionTime,
  destroyed: Type.Boolean(),
  version: integer,
});

export type VersionMetadataAnswer = Static<typeof versionMetadataAnswer>;

/** A version with its values. */
export const secretDataAnswer = closed({ data: anyObject, metadata: versionMetadataAnswer });

/** A version whose values are deleted. */
export const deletedDataAnswer = closed({ data: Type.Null(), metadata: versionMetadataAnswer });

const valueType = Type.Enum(['text', 'number', 'boolean', 'null', 'list', 'object']);

/** The JSON type of a value. */
export type ValueType = Static<typeof valueType>;

/** The keys of a version; those of the first level with their types, if the query asks for them. */
export const subkeysAnswer = closed({
  subkeys: nullable(anyObject, 'Each value is null, or an object of keys in turn.'),
  metadata: versionMetadataAnswer,
  types: Type.Optional(byName(valueType)),
});

/** The same of a version whose values are deleted. */
export const deletedSubkeysAnswer = closed({ subkeys: Type.Null(), metadata: versionMetadataAnswer });

const listedSecretAnswer = closed({
  current_version: integer,
  updated_time: time,
  updated_by: nullable(Type.String()),
  state: Type.Enum(['live', 'deleted', 'destroyed', 'empty'], {
    description: 'Of the current version; `empty`: the secret has none yet.',
  }),
  links: nullable(
    byName(integer),
    'Its links to destinations, counted by status; null without `read` on `sys/sync/associations/destinations`.',
  ),
  paused_links: nullable(
    integer,
    'How many of the links that are `PENDING` wait for the end of a pause; null if `links` is.',
  ),
});

/** What a list tells about a secret. */
export type ListedSecretAnswer = Static<typeof listedSecretAnswer>;

/** The keys of a folder; with details, what the caller may read about its secrets. */
export const folderAnswer = closed({
  keys: texts,
  key_info: Type.Optional(
    byName(
      listedSecretAnswer,
      'By key. Folders, and secrets whose metadata the caller may not read, are left out.',
    ),
  ),
});

export type FolderAnswer = Static<typeof folderAnswer>;

export const versionDiffAnswer = closed({
  from: integer,
  to: integer,
  keys: byName(Type.Enum(['added', 'removed', 'changed', 'same'])),
});

export type VersionDiffAnswer = Static<typeof versionDiffAnswer>;

const revealedAnswer = closed({
  text: Type.String({ description: 'A text as it is; anything else as JSON.' }),
  is_text: Type.Boolean(),
});

export type RevealedAnswer = Static<typeof revealedAnswer>;

export const revealAnswer = closed({ values: byName(revealedAnswer), metadata: versionMetadataAnswer });

const foundIn = Type.Optional(
  Type.String({ description: 'The path of its namespace, if namespaces below are searched too.' }),
);

const foundSecret = { mount: Type.String(), secret_name: Type.String(), namespace: foundIn };

export const searchAnswer = closed({
  destinations: Type.Array(closed({ type: Type.String(), name: Type.String(), namespace: foundIn })),
  secrets: Type.Array(closed({ ...foundSecret, info: Type.Optional(listedSecretAnswer) })),
  is_complete: Type.Boolean({ description: 'False: there may be more.' }),
  next_after: nullable(Type.String(), 'Continues among the secrets.'),
});

/** What a caller reaches in a folder. */
export const reachableAnswer = closed({
  keys: Type.Array(Type.String(), {
    description: 'Names in the folder. Folders end with a slash; one that a rule names need not exist yet.',
  }),
  is_complete: Type.Boolean({ description: 'False: there are more.' }),
});

export type ReachableAnswer = Static<typeof reachableAnswer>;

/** Secrets that a pattern finds. */
export const foundSecretsAnswer = closed({
  secrets: Type.Array(closed(foundSecret)),
  next_after: nullable(Type.String(), 'Continues the search; null at its end.'),
});

export type FoundSecretsAnswer = Static<typeof foundSecretsAnswer>;

/** The results of a search by a part of the name. */
export type SearchAnswer = Static<typeof searchAnswer>;

/** What a trigger tells of a change of the secret. */
export const changeAnswer = Type.Optional(
  closed(
    {
      kind: Type.Enum(['delete', 'undelete', 'destroy']),
      versions: Type.Optional(
        Type.Array(Type.Integer(), { description: 'Absent if the whole secret was deleted.' }),
      ),
    },
    'What was done to the secret; absent if a version of it was saved, or the cause is another one.',
  ),
);
