import { joinEnvironments } from './marks.ts';
import { ownerOfRow } from './ownership.ts';
import type { OpenStore } from './project.ts';
import type { Row } from './rows.ts';

// What ends it: no decision about the entry does.
const WAYS = 'give the link another name, or unlink the secret';

/** Why a row cannot be changed that also serves environments outside the destination. */
export function sharedMessage({ settings }: OpenStore, row: Row): string {
  return `At Vercel, this variable also has environments outside this destination (it has ${joinEnvironments(row.environments)}; the destination has ${joinEnvironments(settings.deployment_environments)}). A change would affect them too, so it cannot be adopted or overwritten: split the variable there, ${WAYS}.`;
}

/** Why an entry cannot have all environments of the destination: somebody else's rows have some of them. */
export function takenMessage({ project, settings }: OpenStore, rows: Row[]): string {
  const taken = settings.deployment_environments.filter((one) =>
    rows.some(({ environments }) => environments.includes(one)),
  );
  const where = taken.length > 0 ? taken.join(' and ') : "one of the destination's environments";
  return `Another variable of this name in ${project.container} already has ${where}. It cannot be adopted or overwritten: remove it there, choose other environments for the destination, ${WAYS}.`;
}

/**
 * Why nobody can take over a row that is not ours, of all rows that are in its way; undefined if one can. What it becomes must
 * have the environments of the destination, and no others.
 */
export function blockageOf(store: OpenStore, row: Row, candidates: Row[]): string | undefined {
  if (ownerOfRow(store, row, null) === 'ours') return undefined;
  const { deployment_environments: wanted } = store.settings;
  if (row.environments.some((one) => !wanted.some((own) => own === one))) return sharedMessage(store, row);
  return candidates.length > 1 ? takenMessage(store, candidates) : undefined;
}
