import type pg from 'pg';
import type { Captured } from './capture.ts';

/** The costliest step of a statement: how many rows it took into its hands. */
export type Cost = { rows: number; step: string };

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
};

/**
 * Carries a statement out with the values of its calls, each undone afterwards, and finds the costliest step of all. For a
 * batch of a thousand rows, reading a small table is cheaper: what counts is that an index would serve. Where a table has
 * none, because it is small or read as a whole, the plan counts that Postgres chooses by itself: no others are sensible.
 */
export async function costOf(client: pg.Client, { text, calls }: Captured): Promise<Cost> {
  let worst: Cost = { rows: 0, step: '' };
  for (const values of calls) {
    const cost = worstOf(await explain(client, text, values, 'off'));
    if (cost.rows <= worst.rows) continue;
    const own = worstOf(await explain(client, text, values, 'on'));
    const less = own.rows < cost.rows ? own : cost;
    if (less.rows > worst.rows) worst = less;
  }
  return worst;
}

function worstOf(plan: Plan | null): Cost {
  let worst: Cost = { rows: 0, step: '' };
  for (const cost of plan ? stepsOf(plan) : []) if (cost.rows > worst.rows) worst = cost;
  return worst;
}

// Null if Postgres refuses the repetition, for instance of an insertion.
async function explain(
  client: pg.Client,
  text: string,
  values: unknown[],
  scans: 'on' | 'off',
): Promise<Plan | null> {
  await client.query('BEGIN');
  await client.query(`SET LOCAL enable_seqscan = ${scans}`);
  // As in the sessions of the service.
  await client.query('SET LOCAL jit = off');
  // The workers of the test, which would claim a million rows, do not see it.
  await client.query('UPDATE sync_config SET disabled = false');
  try {
    const answer = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    return answer.rows[0]?.['QUERY PLAN'][0]?.Plan ?? null;
  } catch {
    return null;
  } finally {
    await client.query('ROLLBACK');
  }
}

function stepsOf(plan: Plan): Cost[] {
  const loops = plan['Actual Loops'] ?? 0;
  const read = plan['Relation Name'] || plan['Index Name'] ? (plan['Actual Rows'] ?? 0) : 0;
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0);
  const step = [plan['Node Type'], plan['Index Name'] ?? plan['Relation Name']].filter(Boolean).join(' on ');
  return [{ rows: (read + removed) * loops, step }, ...(plan.Plans ?? []).flatMap(stepsOf)];
}
