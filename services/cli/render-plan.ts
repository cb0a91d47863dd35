import { describePlanned } from '../../libs/telling/planned.ts';
import type { Fields } from './client/http.ts';
import { renderTable, textOf } from './output.ts';

/** The plan of one secret, as the API answers it; `error`: why there is none. */
export type PlanOfSecret = Fields & { planned: Fields[]; error?: unknown };

/** Counts what would happen, and says it of each entry. */
export function renderPlan(secrets: PlanOfSecret[]): string {
  const rows = secrets.flatMap(rowsOf);
  if (rows.length === 0) return 'no changes';
  const totals = new Map<string, number>();
  for (const { action } of rows) totals.set(action, (totals.get(action) ?? 0) + 1);
  return [
    [...totals].map(([action, count]) => describePlanned(action, count)).join(', '),
    renderTable(
      ['secret', 'key', 'external name', 'action', 'reason'],
      rows.map(({ secret, key, name, action, reason }) => [secret, key, name, action, reason]),
    ),
  ].join('\n');
}

type Row = { secret: string; key: unknown; name: unknown; action: string; reason: unknown };

function rowsOf({ planned, error = null, ...names }: PlanOfSecret): Row[] {
  const secret = `${textOf(names['mount'])}/${textOf(names['secret_name'])}`;
  if (error !== null) return [{ secret, key: '', name: '', action: 'error', reason: error }];
  return planned.map((step) => ({
    secret,
    key: step['sub_key'],
    name: step['external_name'],
    action: step['unchecked'] === true ? 'unchecked' : textOf(step['action']),
    reason: step['former_name'] === undefined ? step['reason'] : `instead of ${textOf(step['former_name'])}`,
  }));
}
