import type { Database } from '../../db/connect.ts';
import { FROM_FAILURES } from './failures.ts';
import type { PlacedRule } from './rules.ts';

/** What a rule tells of one destination: how many associations, and the first ones. */
export type Told = {
  namespace: string;
  type: string;
  name: string;
  total: number;
  associations: Record<string, string>[];
};

// A rate limit ends by itself, and nobody can end it: a rule tells it only if it names it.
const TELL = `
WITH given AS (
  SELECT CAST(:rule AS bigint) AS rule, CAST(:before AS timestamptz) AS before, CAST(:namespace AS text) AS namespace,
    CAST(:namespaces AS text[]) AS namespaces, CAST(:destinations AS text[]) AS destinations,
    CAST(:causes AS text[]) AS causes
), matching AS (
  SELECT f.association_id, f.since, d.id AS destination_id, d.type, d.name, n.path AS namespace, m.path AS mount,
    a.secret_path, c.cause
  ${FROM_FAILURES}
  CROSS JOIN given g
  WHERE f.since <= g.before AND c.cause IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM alert_tellings t WHERE t.rule_id = g.rule AND t.association_id = f.association_id)
    AND (g.namespace = '' OR n.path = g.namespace OR starts_with(n.path, g.namespace || '/'))
    AND (cardinality(g.namespaces) = 0
      OR ltrim(substr(n.path, length(g.namespace) + 1), '/') || '/' LIKE ANY (g.namespaces))
    AND (cardinality(g.destinations) = 0 OR d.type || '/' || d.name LIKE ANY (g.destinations))
    AND (c.cause ->> 'code' = ANY (g.causes) OR c.cause ->> 'class' = ANY (g.causes)
      OR cardinality(g.causes) = 0 AND c.cause ->> 'code' <> 'rate_limited')
), told AS (
  INSERT INTO alert_tellings (rule_id, association_id, since, link)
  SELECT g.rule, m.association_id, m.since, jsonb_build_object(
    'namespace', m.namespace, 'type', m.type, 'name', m.name, 'mount', m.mount, 'secret_name', m.secret_path)
  FROM matching m CROSS JOIN given g
  ON CONFLICT DO NOTHING
)
SELECT namespace, type, name, count(*)::integer AS total,
  jsonb_agg(jsonb_build_object('mount', mount, 'secret_name', secret_path, 'since', since,
    'class', cause ->> 'class', 'code', cause ->> 'code') ORDER BY association_id) FILTER (WHERE place <= :most) AS associations
FROM (SELECT *, row_number() OVER (PARTITION BY destination_id ORDER BY association_id) AS place FROM matching) m
GROUP BY destination_id, namespace, type, name
ORDER BY destination_id`;

const HEAL = `
WITH healed AS (
  DELETE FROM alert_tellings t
  WHERE t.rule_id = :rule AND NOT EXISTS (SELECT 1 FROM notify_failures f WHERE f.association_id = t.association_id)
  RETURNING association_id, since, link ->> 'namespace' AS namespace, link ->> 'type' AS type, link ->> 'name' AS name,
    link ->> 'mount' AS mount, link ->> 'secret_name' AS secret_name
)
SELECT namespace, type, name, count(*)::integer AS total,
  jsonb_agg(jsonb_build_object('mount', mount, 'secret_name', secret_name, 'since', since) ORDER BY association_id)
    FILTER (WHERE place <= :most) AS associations
FROM (SELECT *, row_number() OVER (PARTITION BY namespace, type, name ORDER BY association_id) AS place FROM healed) h
GROUP BY namespace, type, name
ORDER BY namespace, type, name`;

/**
 * The associations that have failed since before a time and that a rule has not told yet, by destination; at most `most`
 * of each are named. From now on they count as told. Call it after `noteFailures`.
 */
export async function tellFailures(
  transaction: Database,
  { id, namespace, settings }: PlacedRule,
  { before, most }: { before: Date; most: number },
): Promise<Told[]> {
  const { rows } = await transaction.raw<{ rows: Told[] }>(TELL, {
    rule: id,
    before,
    most,
    namespace,
    namespaces: settings.namespaces.map(toLike),
    destinations: settings.destinations.map(toLike),
    causes: settings.causes,
  } as never);
  return rows.map(withTimes);
}

/** The same for what the rule has told and what no longer fails; it is forgotten from now on. */
export async function tellHealed(
  transaction: Database,
  { id }: PlacedRule,
  { most }: { most: number },
): Promise<Told[]> {
  const { rows } = await transaction.raw<{ rows: Told[] }>(HEAL, { rule: id, most });
  return rows.map(withTimes);
}

// In a pattern of ours, only * has a meaning.
function toLike(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

function withTimes({ associations, ...rest }: Told): Told {
  const inUtc = (time: string): string => new Date(time).toISOString();
  return {
    ...rest,
    associations: associations.map((one) => ({ ...one, since: inUtc(one['since'] ?? '') })),
  };
}
