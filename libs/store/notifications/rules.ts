import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import type { QuietHours } from '../../time/quiet-hours.ts';
import type { Stamp } from '../../validation/preconditions.ts';

/** What a rule tells, whom and when. An empty list limits nothing; times of quiet hours are empty if there are none. */
export type AlertSettings = {
  channel: 'email' | 'webhook';
  addresses: string[];
  happenings: string[];
  /** Codes or classes of causes. */
  causes: string[];
  /** Patterns of `type/name`. */
  destinations: string[];
  /** Patterns of paths below the rule's own namespace, which is `/`; each ends with a slash. */
  namespaces: string[];
  minutes: number;
  resolved: boolean;
  /** Until then it is muted; empty, or absent in older rules: it is not. RFC 3339. */
  muted_until?: string;
} & QuietHours;

/** Where a webhook is, and what signs its calls. */
export type AlertSecrets = { url: string; secret: string };

export type AlertRule = Stamp & {
  id: number;
  name: string;
  enabled: boolean;
  settings: AlertSettings;
  sealed: Buffer | null;
};

/** A rule with the path of its namespace. */
export type PlacedRule = AlertRule & { namespace: string };

type Key = { namespaceId: string; name: string };

type Written = { enabled: boolean; settings: AlertSettings; secrets: AlertSecrets | null; author: string };

const COLUMNS = ['id', 'name', 'enabled', 'settings', 'sealed', 'revision', 'changed_at', 'changed_by'];

/** Undefined if there is none. In a transaction, `lock` keeps others from changing it. */
export async function findAlertRule(
  db: Database,
  { namespaceId, name }: Key,
  { lock = false } = {},
): Promise<AlertRule | undefined> {
  const query = db('alert_rules').where({ namespace_id: namespaceId, name });
  if (lock) void query.forUpdate();
  return query.first<AlertRule | undefined>(COLUMNS);
}

/** The rules of a namespace, sorted by name. */
export async function listAlertRules(db: Database, namespaceId: string): Promise<AlertRule[]> {
  return db('alert_rules').where({ namespace_id: namespaceId }).orderBy('name').select<AlertRule[]>(COLUMNS);
}

/** All rules that are enabled. In a transaction, `lock` keeps others from deleting them. */
export async function listEnabledRules(db: Database, { lock = false } = {}): Promise<PlacedRule[]> {
  const query = db('alert_rules as r')
    .join('namespaces as n', 'n.id', 'r.namespace_id')
    .where('r.enabled', true)
    .orderBy('r.id')
    .select<PlacedRule[]>([...COLUMNS.map((column) => `r.${column}`), 'n.path as namespace']);
  if (lock) void query.forKeyShare('r');
  return query;
}

/** Makes new rules of a namespace wait for each other until the transaction ends, and returns how many there are. */
export async function lockAlertRules(transaction: Database, namespaceId: string): Promise<number> {
  await transaction.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`alerts ${namespaceId}`]);
  const [row]: { count: string | number }[] = await transaction('alert_rules')
    .where({ namespace_id: namespaceId })
    .count();
  return Number(row?.count ?? 0);
}

/** Call it after `lockAlertRules`. */
export async function insertAlertRule(
  transaction: Database,
  keyring: Keyring,
  { namespaceId, name }: Key,
  { enabled, settings, secrets, author }: Written,
): Promise<AlertRule> {
  const [row]: { id: number }[] = await transaction('alert_rules')
    .insert({
      namespace_id: namespaceId,
      name,
      enabled,
      settings: JSON.stringify(settings),
      changed_by: author,
    })
    .returning('id');
  if (!row) throw new Error('an inserted rule has no row');
  // Sealed values are bound to the row's id, which is known only now.
  const [stored]: AlertRule[] = await transaction('alert_rules')
    .where({ id: row.id })
    .update({ sealed: sealedOf(keyring, row.id, secrets) })
    .returning(COLUMNS);
  if (!stored) throw new Error('an inserted rule disappeared');
  return stored;
}

/** Stores a change of a locked rule. One that is disabled forgets what it has told, and drops what it has not sent. */
export async function updateAlertRule(
  transaction: Database,
  keyring: Keyring,
  { id, revision }: AlertRule,
  { enabled, settings, secrets, author }: Written,
): Promise<AlertRule> {
  const [stored]: AlertRule[] = await transaction('alert_rules')
    .where({ id })
    .update({
      enabled,
      settings: JSON.stringify(settings),
      sealed: sealedOf(keyring, id, secrets),
      revision: revision + 1,
      changed_at: transaction.fn.now(),
      changed_by: author,
    })
    .returning(COLUMNS);
  if (!stored) throw new Error('a locked rule disappeared');
  if (!enabled) {
    await transaction('alert_tellings').where({ rule_id: id }).delete();
    await transaction('alert_deliveries')
      .where({ rule_id: id })
      .whereRaw('(held OR due_at IS NOT NULL)')
      .update({ held: false, due_at: null, error: 'rule_disabled', detail: 'The rule was disabled.' });
  }
  return stored;
}

// Whoever looks back at an incident still reads who was alerted. Each of these notifications belongs to one rule. Deleted
// first, so that what a worker is about to note as delivered counts, too.
const KEEP_DELIVERED = `
WITH gone AS (
  DELETE FROM alert_deliveries WHERE rule_id = ? RETURNING rule_id, notification_id, delivered_at
), delivered AS (
  SELECT rule_id, notification_id, min(delivered_at) AS delivered_at FROM gone GROUP BY rule_id, notification_id
)
UPDATE notifications n SET data = n.data || jsonb_build_object('deleted_rule', jsonb_build_object(
  'name', r.name, 'namespace_id', r.namespace_id, 'delivered_at', d.delivered_at))
FROM delivered d JOIN alert_rules r ON r.id = d.rule_id
WHERE n.id = d.notification_id AND n.kind = 'associations.failing' AND d.delivered_at IS NOT NULL`;

/** Deletes a rule with all that it held; the notifications of failures that it has delivered name it from now on. */
export async function deleteAlertRule(transaction: Database, id: number): Promise<void> {
  await transaction.raw(KEEP_DELIVERED, [id]);
  await transaction('alert_rules').where({ id }).delete();
}

/** Null for a rule without a webhook. Throws UnsealError. */
export function openAlertSecrets(
  keyring: Keyring,
  { id, sealed }: Pick<AlertRule, 'id' | 'sealed'>,
): AlertSecrets | null {
  return sealed && (JSON.parse(unseal(keyring, sealed, identityOf(id)).toString()) as AlertSecrets);
}

function sealedOf(keyring: Keyring, id: number, secrets: AlertSecrets | null): Buffer | null {
  return secrets && seal(keyring, JSON.stringify(secrets), identityOf(id));
}

function identityOf(id: number): string {
  return `alert_rules/${id}`;
}
