import type { EntryKey } from '../../../libs/connector/contract.ts';
import { productionHidden } from './read.ts';
import { readReference } from './reference.ts';
import type { Row } from './rows.ts';
import type { Tools } from './tools.ts';

/**
 * Those of the entries whose very rows are still there, by their ids: a row that somebody made anew under the same key
 * has another one, and a write by key would replace it. One list call for all.
 */
export async function findHeldEntries<Entry extends EntryKey>(
  tools: Tools,
  entries: Entry[],
  signal: AbortSignal,
): Promise<Entry[]> {
  if (entries.length === 0) return [];
  const { rows, isProductionHidden } = await tools.project.list(signal);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const held = entries.filter((entry) => isRowOf(entry, byId));
  const isHidden = isProductionHidden && tools.settings.deployment_environments.includes('production');
  if (held.length < entries.length && isHidden) throw productionHidden(tools);
  return held;
}

function isRowOf({ name, reference }: EntryKey, rows: Map<string, Row>): boolean {
  return rows.get(readReference(reference)?.id ?? '')?.key === name;
}
