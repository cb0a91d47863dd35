import type { Database } from '../../db/connect.ts';

/** Who was told of failures at a destination: a rule, or, with null, the channels of the environment. */
export type IncidentTelling = {
  type: string;
  name: string;
  /** Of the failures that it names. */
  codes: string[];
  /** The secrets that it names: mount and path. */
  secrets: string[];
  /** Whether it names all of them. */
  isWhole: boolean;
  rule: string | null;
  isDeleted: boolean;
  ruleNamespaceId: string | null;
  deliveredAt: Date;
  happenedAt: Date;
};

const MOST = 2000;

const TOLD = `
SELECT n.data #>> '{destination,type}' AS type, n.data #>> '{destination,name}' AS name,
  ARRAY(SELECT DISTINCT x ->> 'code' FROM jsonb_array_elements(n.data -> 'associations') x) AS codes,
  ARRAY(SELECT concat(x ->> 'mount', '/', x ->> 'secret_name') FROM jsonb_array_elements(n.data -> 'associations') x) AS secrets,
  (n.data ->> 'total')::int <= jsonb_array_length(n.data -> 'associations') AS "isWhole",
  coalesce(r.name, g.name) AS rule, g.name IS NOT NULL AS "isDeleted", coalesce(r.namespace_id, g.namespace_id) AS "ruleNamespaceId",
  coalesce(min(d.delivered_at), g.delivered_at) AS "deliveredAt", n.happened_at AS "happenedAt"
FROM notifications n
LEFT JOIN alert_deliveries d ON d.notification_id = n.id AND d.delivered_at IS NOT NULL
LEFT JOIN alert_rules r ON r.id = d.rule_id
CROSS JOIN LATERAL jsonb_to_record(coalesce(n.data -> 'deleted_rule', '{}')) AS g (name text, namespace_id text, delivered_at timestamptz)
WHERE (d.id IS NOT NULL OR g.name IS NOT NULL) AND n.happened_at >= :since AND n.kind = 'associations.failing' AND n.data #>> '{destination,namespace}' = :namespace
GROUP BY n.id, d.rule_id, r.id, g.name, g.namespace_id, g.delivered_at
ORDER BY n.happened_at DESC LIMIT :most`;

/** What was delivered about failures in a namespace since a time, the latest first. */
export async function listIncidentTellings(
  db: Database,
  { namespace, since }: { namespace: string; since: Date },
): Promise<IncidentTelling[]> {
  const { rows } = await db.raw<{ rows: IncidentTelling[] }>(TOLD, { namespace, since, most: MOST });
  return rows;
}
