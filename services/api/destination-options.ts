import { Type } from 'typebox';

/** What destinations of every type have, beside the settings of their type. */
export const destinationOptions = {
  granularity: Type.Optional(
    Type.Enum(['secret-path', 'secret-key'], {
      description:
        'Write one entry for each secret (`secret-path`), or one for each of its keys (`secret-key`).',
    }),
  ),
  secret_name_template: Type.Optional(
    Type.String({
      description: 'Template for the names of entries, for example `{{ .MountPath }}/{{ .SecretPath }}`.',
    }),
  ),
  custom_tags: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Tags that every entry gets.' }),
  ),
  conflict_policy: Type.Optional(
    Type.Enum(['refuse', 'overwrite', 'adopt'], {
      description:
        'What to do if the store already has an entry with this name that Sealift does not manage. Default: `refuse`.',
    }),
  ),
  deletion_policy: Type.Optional(
    Type.Enum(['delete', 'retain'], {
      description: 'What to do with an entry that is no longer synced. Default: `delete`.',
    }),
  ),
  on_latest_deleted: Type.Optional(
    Type.Enum(['previous', 'remove'], {
      title: 'If the latest version is deleted',
      description:
        'What to sync if the latest version of a secret is deleted or expired: the latest live version before it (`previous`, the default), or nothing (`remove`).',
    }),
  ),
  drift_check: Type.Optional(
    Type.Boolean({
      description:
        'Regularly compare the entries in the store with what Sealift wrote, and repair them. Off by default.',
    }),
  ),
  owner_check_seconds: Type.Optional(
    Type.Integer({
      title: 'Ownership check lifetime (s)',
      minimum: 0,
      maximum: 86_400,
      description:
        'How many seconds the result of an ownership check stays valid. 0 (default): ask the store before each update. ' +
        'Stores that identify entries by an id need no check.',
    }),
  ),
};
