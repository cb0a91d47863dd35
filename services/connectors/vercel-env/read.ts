import type { EntryKey, Found } from '../../../libs/connector/contract.ts';
import type { ConnectorError } from '../../../libs/connector/errors.ts';
import { failures } from './failures.ts';
import { readReference } from './reference.ts';
import type { Row } from './rows.ts';
import { isInTheWay, ownerOf, referenceTo, type Tools } from './tools.ts';

/**
 * One call for a row the ledger knows; else the list, then the value. Where several rows are in the way, one that is not
 * ours is shown first.
 */
export async function readEntry(tools: Tools, entry: EntryKey, signal: AbortSignal): Promise<Found | null> {
  const row = (await findKnown(tools, entry, signal)) ?? (await findByName(tools, entry, signal));
  if (!row) return null;
  return {
    owner: ownerOf(tools, row, entry.reference),
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
  // Somebody gave the row another key: under this name it is not there.
  return row?.key === name ? row : null;
}

async function findByName(tools: Tools, { name }: EntryKey, signal: AbortSignal): Promise<Row | null> {
  const { rows, isProductionHidden } = await tools.project.list(signal);
  const candidates = rows.filter((row) => isInTheWay(tools, row, name));
  const shown = candidates.find((row) => ownerOf(tools, row, null) !== 'ours') ?? candidates[0];
  if (shown) return tools.project.find(shown.id, signal);
  if (isProductionHidden && tools.settings.deployment_environments.includes('production'))
    throw productionHidden(tools);
  return null;
}

/** The token's role keeps production variables from it: what it does not see is not absent. */
export function productionHidden({ project }: Tools): ConnectorError {
  return failures.fail('permission_missing', {
    scope: 'destination',
    message: `The access_token may not see the production variables of ${project.container}: it needs a role that can, or leave production out of deployment_environments.`,
  });
}
