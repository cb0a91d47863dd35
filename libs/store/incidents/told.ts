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
  r.name AS rule, r.namespace_id AS "ruleNamespaceId", min(d.delivered_at) AS "deliveredAt", n.happened_at AS "happenedAt"
FROM notifications n
JOIN alert_deliveries d ON d.notification_id = n.id AND d.delivered_at IS NOT NULL
LEFT JOIN alert_rules r ON r.id = d.rule_id
WHERE n.happened_at >= :since AND n.kind = 'associations.failing' AND n.data #>> '{destination,namespace}' = :namespace
GROUP BY n.id, d.rule_id, r.id
ORDER BY n.happened_at DESC LIMIT :most`;

/** What was delivered about failures in a namespace since a time, the latest first. */
export async function listIncidentTellings(
  db: Database,
  { namespace, since }: { namespace: string; since: Date },
): Promise<IncidentTelling[]> {
  const { rows } = await db.raw<{ rows: IncidentTelling[] }>(TOLD, { namespace, since, most: MOST });
  return rows;
}
