import type { EntryKey } from '../../../libs/connector/contract.ts';
import { ENVIRONMENTS, readReference } from './marks.ts';
import type { Row } from './rows.ts';
import { isInTheWay, ownerOfRow } from './ownership.ts';
import type { OpenStore } from './project.ts';

/**
 * Looks at the row, then deletes it. If somebody gave it further environments, it stays for those. If the row is gone,
 * looks for one of that name, and deletes it only if it has our mark.
 */
export async function removeEntry(store: OpenStore, entry: EntryKey, signal: AbortSignal): Promise<void> {
  const known = readReference(entry.reference);
  const knownRow = known && (await store.project.find(known.id, signal));
  // The row has another key now: somebody made it a variable of their own.
  if (knownRow && knownRow.key !== entry.name) return;
  const row = knownRow ?? (await findOurs(store, entry, signal));
  if (!row) return;
  const owned = [...store.settings.deployment_environments, ...(known?.environments ?? [])];
  const left = row.environments.filter((environment) => !owned.includes(environment));
  if (left.length === row.environments.length && left.length > 0) return;
  if (left.length > 0) return leaveTo(store, row, left, signal);
  await store.project.remove(row.id, signal);
}

async function findOurs(store: OpenStore, { name }: EntryKey, signal: AbortSignal): Promise<Row | undefined> {
  const { rows, requireAll } = await store.project.list(signal);
  const ours = rows.find((row) => isInTheWay(store, row, name) && ownerOfRow(store, row, null) === 'ours');
  if (!ours) requireAll();
  return ours;
}

// Removes the mark together with our environments: the rest of the row is theirs.
async function leaveTo({ project }: OpenStore, row: Row, left: string[], signal: AbortSignal): Promise<void> {
  const target = ENVIRONMENTS.filter((environment) => left.includes(environment));
  const custom = row.customEnvironments.length > 0 ? { customEnvironmentIds: row.customEnvironments } : {};
  await project.edit(row.id, { target, ...custom, comment: '' }, signal);
}
