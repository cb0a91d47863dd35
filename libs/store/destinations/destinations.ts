import type { Database } from '../../db/connect.ts';
import { createLookup } from '../../db/lookup.ts';
import { prepared } from '../../db/prepared.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { PAUSE, type Pause } from './pauses.ts';

/**
 * Options for a destination of any type. None is null: each change checks the stored ones again, together with what the caller
 * sent, and `null` in a body takes an option back.
 */
export type DestinationOptions = {
  granularity: 'secret-path' | 'secret-key';
  secret_name_template: string;
  custom_tags: Record<string, string>;
  conflict_policy: 'refuse' | 'overwrite' | 'adopt';
  deletion_policy: 'delete' | 'retain';
  /** What is pushed if the newest version was deleted or has expired: the newest live version before it, or nothing. */
  on_latest_deleted: 'previous' | 'remove';
  /** Whether a job regularly compares the entries with what was written. */
  drift_check: boolean;
  /** How long we trust the store's answer that an entry is ours, before an update. */
  owner_check_seconds: number;
};

// Named one by one, so that the compiler tells of an option that is left out.
const OPTIONS: Record<keyof DestinationOptions, true> = {
  granularity: true,
  secret_name_template: true,
  custom_tags: true,
  conflict_policy: true,
  deletion_policy: true,
  on_latest_deleted: true,
  drift_check: true,
  owner_check_seconds: true,
};

/** The names of all options; each is a column. */
export const destinationOptionNames = Object.keys(OPTIONS) as (keyof DestinationOptions)[];

/** A stored destination. `settings` has `*****` for each sensitive setting that is set; the values are sealed. */
export type DestinationRow = DestinationOptions & {
  id: number;
  namespace_id: string;
  type: string;
  name: string;
  settings: Record<string, unknown>;
  sealed_settings: Buffer | null;
  /** The external container; other types have it as `container`. */
  container: string;
  revision: number;
  /** Time and author of the last change; null if they were not recorded. */
  changed_at: Date | null;
  changed_by: string | null;
  throttled_until: Date | null;
  /** Null if it is not paused. */
  pause: Pause | null;
  failures: number;
  purge_initiated_at: Date | null;
  purge_error: string | null;
};

/** SQL for a digest of all settings of a destination `d`. Sealed settings differ each time they are stored. */
export const SETTINGS_DIGEST =
  "encode(sha256(convert_to(d.settings::text, 'UTF8') || coalesce(d.sealed_settings, '')), 'hex')";

/** Identifies a destination; `type` is the type's own name, never an alias. */
export type DestinationKey = { namespaceId: string; type: string; name: string };

const DESTINATIONS = `SELECT id, namespace_id, type, name, settings, sealed_settings, container,
  ${destinationOptionNames.join(', ')}, revision,
  changed_at, changed_by, throttled_until, failures, ${PAUSE} AS pause,
  purge_initiated_at, purge_error
FROM destinations d`;

const LOCKS = { share: 'FOR SHARE', update: 'FOR UPDATE' };

/** For reads outside of transactions. */
export const lookUpDestination = createLookup<DestinationKey, DestinationRow>(
  { namespaceId: 'text', type: 'text', name: 'text' },
  `${DESTINATIONS} WHERE namespace_id = key."namespaceId" AND type = key.type AND name = key.name`,
);

/**
 * Undefined if there is none. `lock` holds the row until the transaction ends; `share` only keeps others from changing
 * it.
 */
export async function findDestination(
  db: Database,
  { namespaceId, type, name }: DestinationKey,
  lock?: 'share' | 'update',
): Promise<DestinationRow | undefined> {
  const sql = `${DESTINATIONS} WHERE namespace_id = ? AND type = ? AND name = ? ${lock === undefined ? '' : LOCKS[lock]}`;
  const [row] = await prepared<DestinationRow>(db, sql, [namespaceId, type, name]);
  return row;
}

/** Types and names of a namespace's destinations, sorted; only of one type if `type` is given. */
export async function listDestinations(
  db: Database,
  namespaceId: string,
  type?: string,
): Promise<{ type: string; name: string }[]> {
  const query = db<DestinationRow>('destinations').where({ namespace_id: namespaceId });
  if (type !== undefined) void query.where({ type });
  return query.orderBy(['type', 'name']).select('type', 'name');
}

/** The destinations of several namespaces, by type and name. */
export async function listDestinationsOf(
  db: Database,
  namespaceIds: string[],
): Promise<{ type: string; name: string; namespaceId: string }[]> {
  return db('destinations')
    .whereIn('namespace_id', namespaceIds)
    .orderBy(['type', 'name', 'id'])
    .select('type', 'name', 'namespace_id AS namespaceId');
}

/** The present revisions of the destinations that exist, by id. */
export async function findRevisions(db: Database, ids: number[]): Promise<Map<number, number>> {
  const rows: { id: number; revision: number }[] = await db('destinations')
    .whereIn('id', ids)
    .select('id', 'revision');
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** The digest of a destination's present settings; empty if there is no such destination. */
export async function findSettingsDigest(db: Database, id: number): Promise<string> {
  const row = await db('destinations AS d')
    .where({ id })
    .first<{ digest: string } | undefined>(db.raw(`${SETTINGS_DIGEST} AS digest`));
  return row?.digest ?? '';
}

/**
 * The settings of a destination as they are stored, with their digest and the path of the namespace. `changedMs`: how long
 * ago the destination was changed; null if that was not recorded.
 */
export type StoredSettings = Pick<DestinationRow, 'name' | 'settings' | 'sealed_settings'> & {
  namespace: string;
  digest: string;
  changedMs: number | null;
};

/** Undefined if there is no such destination of the type. */
export async function findStoredSettings(
  db: Database,
  { id, type }: { id: number; type: string },
): Promise<StoredSettings | undefined> {
  return db('destinations AS d')
    .join('namespaces AS n', 'n.id', 'd.namespace_id')
    .where({ 'd.id': id, 'd.type': type })
    .first(
      'd.name',
      'd.settings',
      'd.sealed_settings',
      'n.path AS namespace',
      db.raw(`${SETTINGS_DIGEST} AS digest`),
      db.raw('(extract(epoch FROM now() - d.changed_at) * 1000)::float8 AS "changedMs"'),
    );
}

/** The number of associations, and how many of them are being removed. */
export type AssociationCount = { count: number; removing: number };

type Owner = { destination_id: number } | { mount_id: number };

/** Whether a destination, or the secrets of a mount, have any association. */
export async function hasAssociations(db: Database, owner: Owner): Promise<boolean> {
  return (await livingKeys(db, owner).first('k.association_id')) !== undefined;
}

// Without the associations of deleted destinations.
function livingKeys(db: Database, owner: Owner) {
  const [column, id] =
    'mount_id' in owner ? ['k.mount_id', owner.mount_id] : ['k.destination_id', owner.destination_id];
  return db('association_keys AS k')
    .join('destinations AS d', 'd.id', 'k.destination_id')
    .where({ [column]: id })
    .whereRaw(NOT_DELETED);
}

/** Counts the associations of a destination, or of the secrets of a mount. The time grows with their number. */
export async function countAssociations(db: Database, owner: Owner): Promise<AssociationCount> {
  const row = await db('associations')
    .whereIn('id', livingKeys(db, owner).select('k.association_id'))
    .first<AssociationCount>(db.raw('count(*) AS count, count(*) FILTER (WHERE removing) AS removing'));
  return row ?? { count: 0, removing: 0 };
}

/** What the names of a destination's entries are built from. */
export type NameTemplate = {
  name: string;
  template: string;
  granularity: DestinationOptions['granularity'];
  namespaceId: string;
  namespace: string;
  /** A mount with secrets of this destination, or else any mount of its namespace; null if there is none. */
  mountPath: string | null;
  mountAccessor: string | null;
};

/** Undefined if there is no such destination. */
export async function findTemplate(db: Database, id: number): Promise<NameTemplate | undefined> {
  const { rows } = await db.raw<{ rows: NameTemplate[] }>(
    `SELECT d.name, d.secret_name_template AS template, d.granularity, n.id AS "namespaceId", n.path AS namespace,
       m.path AS "mountPath", m.accessor AS "mountAccessor"
     FROM destinations d JOIN namespaces n ON n.id = d.namespace_id
     LEFT JOIN mounts m ON m.id = coalesce(
       (SELECT k.mount_id FROM association_keys k WHERE k.destination_id = d.id LIMIT 1),
       (SELECT min(o.id) FROM mounts o WHERE o.namespace_id = d.namespace_id))
     WHERE d.id = ?`,
    [id],
  );
  return rows[0];
}
