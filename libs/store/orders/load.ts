import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { SETTINGS_DIGEST } from '../destinations/destinations.ts';
import { isLive } from '../live-version.ts';
import {
  ALONE_KEYS,
  DUE_DECISION,
  DUE_EXPECTED,
  DUE_KEYS,
  LOOKS,
  meansOthers,
  ONLY_SEEN,
  WITHDRAWAL,
  type Decision,
} from '../due/trigger.ts';
import { LOADED_TRIGGER } from '../due/waited.ts';
import { ledgerEntry } from './ledger.ts';
import type { LedgerEntry, OrderDestination, WorkOrder } from './order.ts';

/** A claimed row, with the generation at the claim. */
export type Claimed = { id: number; generation: number; lease_token: number };

// The most bytes of sealed values that one claim loads. Orders beyond it are released and claimed again at once.
const MOST_BYTES = 16 * 1024 * 1024;

// What an order has of its destination `d`, in SQL: one expression for each, so that the compiler tells of one that is left out.
const DESTINATION: Record<keyof OrderDestination, string> = {
  id: 'd.id',
  name: 'd.name',
  container: 'd.container',
  revision: 'd.revision',
  settingsDigest: SETTINGS_DIGEST,
  granularity: 'd.granularity',
  template: 'd.secret_name_template',
  customTags: 'd.custom_tags',
  conflictPolicy: 'd.conflict_policy',
  deletionPolicy: 'd.deletion_policy',
  ownerCheckMs: 'd.owner_check_seconds * 1000',
  failures: 'd.failures',
  failureCode: "d.failure ->> 'code'",
};

const DESTINATION_AS_JSON = Object.entries(DESTINATION)
  .map(([name, sql]) => `'${name}', ${sql}`)
  .join(', ');

// Whoever changes a destination, such as its credentials, does not mean what somebody changed in the store. Other tags would
// need a write.
const LEAVES_DRIFT = `((a.trigger ->> 'cause' = 'destination' AND NOT ${LOOKS} OR ${meansOthers('e.synced_version = v.version')}
    OR NOT coalesce(jsonb_exists(${ALONE_KEYS}, e.sub_key), true))
  AND e.drift ->> 'code' = 'changed_outside'
  AND coalesce(e.written_tags, '{}') = (SELECT coalesce(d.custom_tags, '{}') FROM destinations d WHERE d.id = a.destination_id))`;

// A version that somebody deletes makes the association due with a trigger of its own.
const IS_EXPIRY = `(a.attempts = 0 AND a.synced_generation >= a.generation AND EXISTS (
    SELECT FROM entries e JOIN secret_versions x ON x.secret_id = s.id AND x.version = e.synced_version
    WHERE e.association_id = a.id AND e.status = 'SYNCED' AND x.deleted_by IS NULL AND x.deletion_time <= now()))`;

// A separate statement: its snapshot is later than the claim, so the value is at least as new as the claimed generation.
// As part of the claim, it could combine a generation with the value before it. Rows of one destination and mount share
// data; only the first of them carries it.
const LOAD = `
SELECT a.id, a.removing, a.attempts, a.secret_path,
  ${LOOKS} AS looks, ${ONLY_SEEN} AS "onlySeen", ${WITHDRAWAL} AS withdrawal, a.trigger -> 'limited' IS NOT NULL AS "wasLimited",
  CASE WHEN ${IS_EXPIRY} THEN '{"cause": "expiry", "by": null}' ELSE ${LOADED_TRIGGER} END AS trigger, ${DUE_DECISION} AS decision, ${DUE_EXPECTED} AS expected, ${DUE_KEYS} AS "decidedKeys", ${ALONE_KEYS} AS "aloneKeys", a.secret_name_template AS template,
  CASE WHEN lag(a.destination_id) OVER alike = a.destination_id AND lag(a.mount_id) OVER alike = a.mount_id THEN NULL ELSE (
    SELECT json_build_object(
      'namespace', json_build_object('id', n.id, 'path', n.path),
      'mount', json_build_object('id', m.id, 'path', m.path, 'accessor', m.accessor),
      'destination', json_build_object(${DESTINATION_AS_JSON}))
    FROM destinations d, mounts m JOIN namespaces n ON n.id = m.namespace_id
    WHERE d.id = a.destination_id AND m.id = a.mount_id
  ) END AS common,
  v.secret_id, v.version, v.deletion_time,
  CASE WHEN sum(octet_length(v.sealed)) OVER alike <= ${MOST_BYTES} THEN v.sealed END AS sealed,
  e.entries
FROM associations a
-- LIMIT makes Postgres look up each secret by its index. Otherwise it reads all secrets where it needs some hundred of many.
LEFT JOIN LATERAL (
  SELECT s.id, s.current_version FROM secrets s WHERE s.mount_id = a.mount_id AND s.path = a.secret_path LIMIT 1
) s ON true
LEFT JOIN LATERAL (
  SELECT v.secret_id, v.version, v.sealed, v.deletion_time FROM secret_versions v
  WHERE v.secret_id = s.id AND ${isLive()}
    AND (v.version = s.current_version
      OR (SELECT d.on_latest_deleted = 'previous' FROM destinations d WHERE d.id = a.destination_id))
  ORDER BY v.version DESC LIMIT 1
) v ON true
LEFT JOIN LATERAL (
  SELECT json_agg(known) AS entries FROM (
    SELECT ${ledgerEntry(LEAVES_DRIFT)}
    FROM entries e WHERE e.association_id = a.id ORDER BY e.id
  ) known
) e ON true
WHERE a.id = ANY (?)
  -- Skips an association whose destination changed after the claim, until the change reaches it. It is claimed again after its lease.
  AND NOT EXISTS (SELECT 1 FROM destinations d WHERE d.id = a.destination_id AND a.id > d.rollout_after)
WINDOW alike AS (ORDER BY a.destination_id, a.mount_id, a.id)
ORDER BY a.destination_id, a.mount_id, a.id`;

type Common = Pick<WorkOrder, 'namespace' | 'mount' | 'destination'>;

type Loaded = {
  id: number;
  removing: boolean;
  attempts: number;
  looks: boolean;
  onlySeen: boolean;
  withdrawal: { by: string | null } | null;
  trigger: WorkOrder['trigger'];
  wasLimited: boolean;
  decision: Decision | null;
  expected: Record<string, string> | null;
  decidedKeys: string[] | null;
  aloneKeys: string[] | null;
  template: string | null;
  secret_path: string;
  common: Common | null;
  secret_id: number | null;
  version: number;
  sealed: Buffer | null;
  deletion_time: Date | null;
  entries: LedgerEntry[] | null;
};

/** Loads claimed orders with their values. Leaves out rows that are gone meanwhile. */
export async function loadOrders(db: Database, claimed: Claimed[]): Promise<WorkOrder[]> {
  const rows = await prepared<Loaded>(db, LOAD, [claimed.map(({ id }) => id)]);
  const claims = new Map(claimed.map((claim) => [claim.id, claim]));
  const orders: WorkOrder[] = [];
  let common: Common | null = null;
  for (const row of rows) {
    common = row.common ?? common;
    const claim = claims.get(row.id);
    if (claim && common) orders.push(toOrder(row, claim, common));
  }
  return orders;
}

function toOrder(row: Loaded, claim: Claimed, { namespace, mount, destination }: Common): WorkOrder {
  return {
    id: row.id,
    generation: claim.generation,
    leaseToken: claim.lease_token,
    removing: row.removing,
    attempts: row.attempts,
    looks: row.looks,
    onlySeen: row.onlySeen,
    withdrawal: row.withdrawal,
    decision: row.decision,
    expected: row.expected,
    decidedKeys: row.decidedKeys,
    aloneKeys: row.aloneKeys,
    trigger: row.trigger,
    wasLimited: row.wasLimited,
    namespace,
    mount,
    secretPath: row.secret_path,
    destination: {
      ...destination,
      template: row.template ?? destination.template,
    },
    source:
      row.secret_id === null
        ? null
        : {
            secretId: row.secret_id,
            secretVersion: row.version,
            sealed: row.sealed,
            deletionTime: row.deletion_time,
          },
    entries: row.entries ?? [],
  };
}
