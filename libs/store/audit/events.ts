import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { AuthType } from '../auth/mounts.ts';
import { findOldIds } from '../maintenance/partitions.ts';

/** `attempted`: written before the change; its end was never recorded. */
export type AuditOutcome = 'attempted' | 'succeeded' | 'refused' | 'failed';

/**
 * How a caller came in: with a token, with a browser session for one, by single sign-on (with the token or the session
 * that this gave), with the token of a wrapped answer, or, for a log-in itself, by an auth method.
 */
export type AuthMethod = 'token' | 'session' | 'saml' | 'saml-session' | 'wrapping' | AuthType;

/** Who acts; `accessor` is null if the service acts by itself. `username` is the person, if one has logged in. */
export type AuditWho = {
  accessor: string | null;
  actor: string;
  username?: string | null;
  authMethod?: AuthMethod | null;
  policies?: string[] | null;
};

/** A secret as the trail has it: by name for people, and bound to the mount itself, which can be moved or made anew. */
export type AuditSecret = {
  /** Mount and path. */
  secret?: string | null;
  mountId?: number | null;
  /** Path in the mount. */
  secretPath?: string | null;
};

/** Who did what. Holds names, never a value. `secret`: the one that the request is about. */
export type NewAuditEvent = AuditWho &
  AuditSecret & {
    /** Absent: now, by Postgres' clock, which retention uses too. */
    at?: Date;
    /** The IP address of the client. */
    address?: string | null;
    namespace: string;
    action: string;
    path: string;
    requestId: string | null;
    /** Only for an entry that has already ended. */
    outcome?: AuditOutcome;
    status?: number | null;
    detail?: Record<string, unknown> | null;
  };

export type AuditEvent = Required<Omit<NewAuditEvent, 'mountId' | 'secretPath'>> & {
  id: number;
};

/** How an attempt ended. The secret, if it was not known at the beginning. */
export type AuditEnd = AuditSecret & {
  id: number;
  outcome: AuditOutcome;
  status: number | null;
  detail?: Record<string, unknown> | null;
};

/** Writes attempts, and entries that have already ended. Returns their ids in the given order. */
export async function insertAuditEvents(db: Database, events: NewAuditEvent[]): Promise<number[]> {
  // One parameter for all rows, so that the statement text stays the same and stays prepared for any number of rows.
  const rows = await prepared<{ id: number }>(
    db,
    `INSERT INTO audit_events
       (at, accessor, actor, username, auth_method, policies, address, namespace, action, path, secret, mount_id,
        secret_path, request_id, outcome, status, detail)
     SELECT coalesce(e.at, now()), e.accessor, e.actor, e.username, e."authMethod", e.policies, e.address, e.namespace,
       e.action, e.path, e.secret, e."mountId", e."secretPath", e."requestId", coalesce(e.outcome, 'attempted'), e.status,
       e.detail
     FROM json_to_recordset(?::json) AS e (
       at timestamptz, accessor text, actor text, username text, "authMethod" text, policies text[], address text,
       namespace text, action text, path text, secret text, "mountId" bigint, "secretPath" text, "requestId" text,
       outcome text, status smallint, detail jsonb)
     RETURNING id`,
    [JSON.stringify(events)],
  );
  return rows.map((row) => row.id);
}

/** Records how attempts ended. An attempt that has already ended does not change. */
export async function finishAuditEvents(db: Database, ends: AuditEnd[]): Promise<void> {
  const ids = ends.map(({ id }) => id);
  await prepared(
    db,
    `UPDATE audit_events SET outcome = ended.outcome, status = ended.status, detail = ended.detail,
       secret = coalesce(audit_events.secret, ended.secret),
       mount_id = coalesce(audit_events.mount_id, ended."mountId"),
       secret_path = coalesce(audit_events.secret_path, ended."secretPath")
     FROM json_to_recordset(?::json) AS ended (
       id bigint, outcome text, status smallint, detail jsonb, secret text, "mountId" bigint, "secretPath" text)
     -- Names the keys again, although "ended" has them: otherwise Postgres reads the whole table once it has some thousand rows.
     -- The bounds leave out partitions, which an array does not.
     WHERE audit_events.id = ANY (?::bigint[]) AND audit_events.id BETWEEN ? AND ?
       AND audit_events.id = ended.id AND audit_events.outcome = 'attempted'`,
    [JSON.stringify(ends), ids, Math.min(...ids), Math.max(...ids)],
  );
}

/** Deletes at most `limit` entries older than `before`. Only the retention job may do this; call it in a transaction. */
export async function deleteAuditEvents(
  transaction: Database,
  options: { before: Date; limit: number },
): Promise<number> {
  await transaction.raw("SELECT set_config('sealift.retention', 'on', true)");
  const ids = await findOldIds(transaction, 'audit_events', options);
  return transaction('audit_events').whereRaw('id = ANY (?)', [ids]).delete();
}
