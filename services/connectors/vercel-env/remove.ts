import type { EntryKey } from '../../../libs/connector/contract.ts';
import { ENVIRONMENTS, readReference } from './marks.ts';
import type { Row } from './rows.ts';
import { isInTheWay, ownerOf } from './ownership.ts';
import type { Tools } from './project.ts';

/**
 * Deletes the row after a look at it. One that somebody gave further environments stays for those; a row that is gone is
 * looked for by name, where only our own mark counts.
 */
export async function removeEntry(tools: Tools, entry: EntryKey, signal: AbortSignal): Promise<void> {
  const known = readReference(entry.reference);
  const held = known && (await tools.project.find(known.id, signal));
  // Another key by now: somebody made it a variable of their own.
  if (held && held.key !== entry.name) return;
  const row = held ?? (await findOurs(tools, entry, signal));
  if (!row) return;
  const owned = [...tools.settings.deployment_environments, ...(known?.environments ?? [])];
  const left = row.environments.filter((environment) => !owned.includes(environment));
  if (left.length === row.environments.length && left.length > 0) return;
  if (left.length > 0) return leaveTo(tools, row, left, signal);
  await tools.project.remove(row.id, signal);
}

async function findOurs(tools: Tools, { name }: EntryKey, signal: AbortSignal): Promise<Row | undefined> {
  const { rows, requireAll } = await tools.project.list(signal);
  const ours = rows.find((row) => isInTheWay(tools, row, name) && ownerOf(tools, row, null) === 'ours');
  if (!ours) requireAll();
  return ours;
}

// The mark goes with our environments: what is left is theirs.
async function leaveTo({ project }: Tools, row: Row, left: string[], signal: AbortSignal): Promise<void> {
  const target = ENVIRONMENTS.filter((environment) => left.includes(environment));
  const custom = row.customEnvironments.length > 0 ? { customEnvironmentIds: row.customEnvironments } : {};
  await project.edit(row.id, { target, ...custom, comment: '' }, signal);
}
