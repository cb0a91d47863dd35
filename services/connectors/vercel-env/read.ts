import type { EntryKey, Found } from '../../../libs/connector/contract.ts';
import { readReference } from './marks.ts';
import type { Row } from './rows.ts';
import { isInTheWay, ownerOfRow, referenceTo } from './ownership.ts';
import type { Tools } from './project.ts';

/**
 * Reads a row that the ledger knows in one call; otherwise lists the rows, then reads the value. If several rows have the
 * name, one that is not ours is returned first.
 */
export async function readEntry(tools: Tools, entry: EntryKey, signal: AbortSignal): Promise<Found | null> {
  const row = (await findKnown(tools, entry, signal)) ?? (await findByName(tools, entry, signal));
  if (!row) return null;
  return {
    owner: ownerOfRow(tools, row, entry.reference),
    value: row.value,
    changedAt: row.changedAt,
    reference: referenceTo(tools, row, entry.reference),
  };
}

async function findKnown(
  { project }: Tools,
  { name, reference }: EntryKey,
  signal: AbortSignal,
): Promise<Row | null> {
  const known = readReference(reference);
  const row = known && (await project.find(known.id, signal));
  // Somebody gave the row another key, so it no longer exists under this name.
  return row?.key === name ? row : null;
}

async function findByName(tools: Tools, { name }: EntryKey, signal: AbortSignal): Promise<Row | null> {
  const { rows, requireAll } = await tools.project.list(signal);
  const candidates = rows.filter((row) => isInTheWay(tools, row, name));
  const shown = candidates.find((row) => ownerOfRow(tools, row, null) !== 'ours') ?? candidates[0];
  if (shown) return tools.project.find(shown.id, signal);
  requireAll();
  return null;
}
