import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';
import { DECIDED_KIND, IS_DECISION_WITHDRAWABLE, WITHOUT_DECISION } from '../due/standing.ts';
import {
  DUE_DECISION,
  DUE_KEYS,
  IS_WITHDRAWABLE,
  RENAME_WAITS,
  trigger,
  triggerSql,
  WITHDRAWN,
  type Decision,
} from '../due/trigger.ts';
import { PENDING_DECISION } from './waiting.ts';

/** Which association: a secret of a KV mount at one destination. */
export type AssociationKey = { destinationId: number; mountId: number; secretPath: string };

/** The row of an association that was triggered, and the generation to wait for. */
export type TriggeredAssociation = { id: number; generation: number };

/** The same for a link; `created`: the association is new; `template`: its own one for names, if it has one. */
export type Linked = TriggeredAssociation & { created: boolean; template: string | null };

// What a person decided about a link that exists. Whoever syncs an entry that is known to be changed outside overwrites it.
const LINK_CAUSE = {
  sql: `coalesce(wanted.decision, CASE WHEN wanted.template IS NOT NULL THEN 'rename'
      WHEN EXISTS (SELECT 1 FROM entries e WHERE e.association_id = a.id AND e.drift ->> 'code' = 'changed_outside')
      THEN 'overwrite' WHEN a.removing THEN 'relink' ELSE 'sync' END)`,
};

// A new name is another entry.
const KEPT_DECISION = `CASE WHEN wanted.template IS NULL THEN CASE WHEN keeps_decision THEN ${DUE_DECISION} ELSE ${PENDING_DECISION} END END`;

// Syncing does not take a new name back.
const LINK_KEEPS = `wanted.decision IS NULL AND wanted.template IS NULL AND (keeps_decision OR ${RENAME_WAITS})`;

// Returns the existing association or a new one; no row if another transaction created or deleted it at this moment.
const LINK = `
WITH wanted AS (
  SELECT ?::text AS namespace_id, ?::bigint AS destination_id, ?::bigint AS mount_id, ?::text AS secret_path, ?::text AS author, ?::text AS decision,
    ?::jsonb AS expected, ?::jsonb AS keys, ?::text AS template, ?::boolean AS keeps_decision, ?::boolean AS only_seen
), known AS (
  UPDATE associations a SET removing = false,
    secret_name_template = CASE WHEN template IS NOT NULL THEN nullif(template, '')
      WHEN NOT a.removing THEN a.secret_name_template END,
    ${trigger(LINK_CAUSE, { by: 'wanted.author', decision: 'wanted.decision', keptDecision: KEPT_DECISION, expected: 'wanted.expected', keys: 'wanted.keys', onlySeen: 'only_seen', isWithdrawable: true, keeps: LINK_KEEPS })}
  FROM wanted JOIN association_keys USING (destination_id, mount_id, secret_path)
  WHERE a.id = association_id
  RETURNING a.id, a.generation, a.destination_id, a.secret_name_template AS template
), key AS (
  INSERT INTO association_keys (association_id, destination_id, mount_id, secret_path)
  SELECT nextval('associations_id_seq'), destination_id, mount_id, secret_path FROM wanted
  WHERE NOT EXISTS (SELECT 1 FROM known)
  ON CONFLICT (destination_id, mount_id, secret_path) DO NOTHING
  RETURNING association_id, destination_id, mount_id, secret_path
), made AS (
  INSERT INTO associations AS a (id, namespace_id, destination_id, mount_id, secret_path, generation, secret_name_template, trigger)
  OVERRIDING SYSTEM VALUE
  SELECT association_id, namespace_id, key.destination_id, key.mount_id, key.secret_path, 1, nullif(template, ''),
    ${triggerSql('link', '1', 'author', { decision: 'decision', keys: 'wanted.keys' })}
  FROM key, wanted
  RETURNING a.id, a.generation, a.destination_id, a.secret_name_template AS template
)
SELECT a.id, a.generation, a.created, a.template, ${DUE_DESTINATION} FROM (
  SELECT *, false AS created FROM known UNION ALL SELECT *, true FROM made
) a`;
// Each retry means that another transaction came in between.
const MOST_TRIES = 10;

/**
 * Links a secret to a destination and makes it due. Safe against concurrent calls. An association that was being removed
 * stays. `decision`: what becomes of an entry of somebody else that has its name. `template`: a template of its own for its
 * names; an empty one takes it away. `keepsDecision`: what was decided before stays, unless this decides something else.
 * `expected`: see `DUE_EXPECTED`; `keys`: see `DUE_KEYS`; `onlySeen`: see `ONLY_SEEN`.
 */
export async function linkSecret(
  transaction: Database,
  key: AssociationKey & {
    namespaceId: string;
    author: string;
    decision?: Decision | undefined;
    expected?: Record<string, string> | undefined;
    keys?: string[] | undefined;
    template?: string | undefined;
    keepsDecision?: boolean | undefined;
    onlySeen?: boolean | undefined;
  },
): Promise<Linked> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const [row] = await prepared<Linked & DueDestination>(transaction, LINK, [
      key.namespaceId,
      key.destinationId,
      key.mountId,
      key.secretPath,
      key.author,
      key.decision ?? null,
      key.expected ? JSON.stringify(key.expected) : null,
      key.keys ? JSON.stringify(key.keys) : null,
      key.template ?? null,
      key.keepsDecision ?? false,
      key.onlySeen ?? false,
    ]);
    if (!row) continue;
    announceDue(transaction, [row]);
    return { id: row.id, generation: row.generation, created: row.created, template: row.template };
  }
  throw new Error('an association was not written');
}

/**
 * Marks an association for removal: the worker deletes the external entries, then the row. Undefined if there is none.
 */
export async function unlinkSecret(
  db: Database,
  key: AssociationKey & { author: string },
): Promise<TriggeredAssociation | undefined> {
  const { rows } = await db.raw<{ rows: (TriggeredAssociation & DueDestination)[] }>(
    `UPDATE associations a SET removing = true, ${trigger('unlink', { by: '?::text', isWithdrawable: true })} FROM association_keys k
     WHERE k.destination_id = ? AND k.mount_id = ? AND k.secret_path = ? AND a.id = k.association_id
     RETURNING a.id, a.generation, ${DUE_DESTINATION}`,
    [key.author, key.destinationId, key.mountId, key.secretPath],
  );
  announceDue(db, rows);
  return rows[0];
}

/** The same for many associations of one destination, in one transaction. Returns the ids of those that exist. */
export async function unlinkAssociations(
  transaction: Database,
  ids: number[],
  author: string,
): Promise<number[]> {
  const { rows } = await transaction.raw<{ rows: ({ id: number } & DueDestination)[] }>(
    // Locks in order of id, as the statement that stores results does.
    `UPDATE associations a SET removing = true, ${trigger('unlink', { by: '?::text', isWithdrawable: true })}
     FROM (SELECT l.id FROM associations l WHERE l.id = ANY (?) ORDER BY l.id FOR NO KEY UPDATE) locked
     WHERE a.id = locked.id RETURNING a.id, ${DUE_DESTINATION}`,
    [author, ids],
  );
  announceDue(transaction, rows);
  return rows.map(({ id }) => id);
}

const WITHDRAWALS = [
  { columns: WITHDRAWN, isPossible: IS_WITHDRAWABLE, takesAuthor: false },
  { columns: WITHOUT_DECISION, isPossible: IS_DECISION_WITHDRAWABLE, takesAuthor: true },
];

/**
 * Makes an association what it was before a person asked for something that no worker has begun. Without that, takes back
 * alone what was decided about its entry and attempts have failed to carry out. Undefined if there is neither, or a worker
 * has the association.
 */
export async function withdraw(
  db: Database,
  { author, ...key }: AssociationKey & { author: string },
): Promise<{ id: number } | undefined> {
  for (const { columns, isPossible, takesAuthor } of WITHDRAWALS) {
    const { rows } = await db.raw<{ rows: ({ id: number } & DueDestination)[] }>(
      `UPDATE associations a SET ${columns} FROM association_keys k
       WHERE k.destination_id = ? AND k.mount_id = ? AND k.secret_path = ? AND a.id = k.association_id AND ${isPossible}
       RETURNING a.id, ${DUE_DESTINATION}`,
      [...(takesAuthor ? [author] : []), key.destinationId, key.mountId, key.secretPath],
    );
    announceDue(db, rows);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

/** Whether a secret is linked, or is being unlinked; stays so until the transaction ends. */
export async function lockLink(
  transaction: Database,
  key: AssociationKey,
): Promise<'linked' | 'unlinking' | 'unlinked'> {
  const [row] = await prepared<{ removing: boolean }>(
    transaction,
    `SELECT a.removing FROM association_keys k JOIN associations a ON a.id = k.association_id
     WHERE k.destination_id = ? AND k.mount_id = ? AND k.secret_path = ? FOR NO KEY UPDATE OF a`,
    [key.destinationId, key.mountId, key.secretPath],
  );
  if (!row) return 'unlinked';
  return row.removing ? 'unlinking' : 'linked';
}

/** The id of an association; undefined if there is none. */
export async function findAssociation(db: Database, key: AssociationKey): Promise<number | undefined> {
  return (await findNamedAssociation(db, key))?.id;
}

/** An association, with what a plan has to know of it. */
export type NamedAssociation = {
  id: number;
  /** Its own template for names; null: that of the destination applies. */
  template: string | null;
  /** The decision that its next attempt carries out. */
  decision: Decision | null;
  /** The keys whose entries that is about; null: all of them. */
  keys: string[] | null;
  /** The same as far as it is no pause that it waits for. */
  pending: Decision | null;
  /** The decision that stands: that one, or the overwriting of a change that attempts have failed to carry out. */
  standing: Decision | null;
  removing: boolean;
};

/** The same with that. */
export async function findNamedAssociation(
  db: Database,
  { destinationId, mountId, secretPath }: AssociationKey,
): Promise<NamedAssociation | undefined> {
  return db('association_keys AS k')
    .join('associations AS a', 'a.id', 'k.association_id')
    .where({ 'k.destination_id': destinationId, 'k.mount_id': mountId, 'k.secret_path': secretPath })
    .first<NamedAssociation>(
      'a.id',
      'a.secret_name_template AS template',
      'a.removing',
      db.raw(
        `${DUE_DECISION} AS decision, ${PENDING_DECISION} AS pending, ${DECIDED_KIND} AS standing, ${DUE_KEYS} AS keys`,
      ),
    );
}
