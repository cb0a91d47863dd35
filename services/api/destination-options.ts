import { Type, type TSchema } from 'typebox';
import type { DestinationOptions } from '../../libs/store/destinations/destinations.ts';

/** What an option is if nobody has set it. Names of entries and granularity depend on the type of the destination. */
export const optionDefaults = {
  conflict_policy: 'refuse',
  deletion_policy: 'delete',
  on_latest_deleted: 'previous',
  drift_check: false,
  owner_check_seconds: 0,
} as const;

/** What destinations of every type have, beside the settings of their type. */
export const destinationOptions = {
  granularity: Type.Optional(
    Type.Enum(['secret-path', 'secret-key'], {
      title: 'Granularity',
      words: { 'secret-path': 'One entry per secret', 'secret-key': 'One entry per key' },
      description: 'One entry for each secret (`secret-path`), or one for each of its keys (`secret-key`).',
    }),
  ),
  secret_name_template: Type.Optional(
    Type.String({
      title: 'Secret name template',
      description:
        'Template for the names of entries, for example `app/{{ .SecretPath }}`. Placeholders take pipes, such as `{{ .SecretKey | uppercase }}`.',
    }),
  ),
  custom_tags: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      title: 'Custom tags',
      description: 'Tags that every entry gets.',
    }),
  ),
  conflict_policy: Type.Optional(
    Type.Enum(['refuse', 'overwrite', 'adopt'], {
      title: 'Conflict policy',
      words: { refuse: 'Refuse', overwrite: 'Overwrite', adopt: 'Adopt' },
      description:
        'What to do if the store already has an entry with this name that isn’t managed by Sealift: leave it (`refuse`), ' +
        'replace it (`overwrite`), or take it over and write only if its value differs (`adopt`).',
    }),
  ),
  deletion_policy: Type.Optional(
    Type.Enum(['delete', 'retain'], {
      title: 'Deletion policy',
      words: { delete: 'Delete', retain: 'Retain' },
      description: 'What to do with an entry that is no longer synced.',
    }),
  ),
  on_latest_deleted: Type.Optional(
    Type.Enum(['previous', 'remove'], {
      title: 'If the latest version is deleted',
      words: { previous: 'Sync the previous version', remove: 'Sync nothing' },
      description:
        'What to sync if the latest version of a secret is deleted or expired: the newest live version before it (`previous`), or nothing (`remove`).',
    }),
  ),
  drift_check: Type.Optional(
    Type.Boolean({
      title: 'Drift check',
      description: 'Regularly compares entries in the store with what was written, and repairs them.',
    }),
  ),
  owner_check_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      title: 'Ownership check lifetime (seconds)',
      description:
        'How many seconds the result of an ownership check stays valid. 0: ask the store before each update. ' +
        'Stores that identify entries by an ID need no check.',
    }),
  ),
} satisfies Record<keyof DestinationOptions, TSchema>;
