import type { Found } from '../../../libs/connector/contract.ts';
import type { HostingProjectSettings } from './destination.ts';
import {
  areSame,
  areWithin,
  nameEnvironments,
  overlap,
  readMark,
  readReference,
  writeMark,
  writeReference,
} from './marks.ts';
import type { Row, Variable } from './rows.ts';

/** Who writes rows, and how. */
type Writer = { settings: HostingProjectSettings; installation: string };

/** The same, and where. */
type Place = Writer & { project: { container: string } };

/** A row as this destination writes it. */
export function toVariable(writer: Writer, { name, value }: { name: string; value: string }): Variable {
  const { deployment_environments: target, sensitive } = writer.settings;
  return {
    key: name,
    value,
    type: sensitive ? 'sensitive' : 'encrypted',
    target,
    comment: writeMark({ installation: writer.installation, environments: target }),
  };
}

/** Whether a row has this name in a place where this destination would write it. */
export function isInTheWay({ settings }: Writer, row: Row, name: string): boolean {
  return (
    row.key === name && row.gitBranch === null && overlap(row.environments, settings.deployment_environments)
  );
}

/**
 * The owner of a row. A row of our installation that was written for other environments belongs to another destination,
 * unless the ledger holds this very row for this one.
 */
export function ownerOfRow(
  { installation, settings }: Writer,
  row: Row,
  reference: string | null,
): Found['owner'] {
  const mark = readMark(row.comment);
  if (!mark) return 'unmarked';
  if (mark.installation !== installation) return 'other';
  const isOwned = readReference(reference)?.id === row.id;
  return isOwned || areSame(mark.environments, settings.deployment_environments) ? 'ours' : 'other';
}

/**
 * The reference that the ledger must keep of a row that we found. It does not claim environments that we did not write
 * the row for and that are not this destination's.
 */
export function referenceTo(writer: Writer, row: Row, reference: string | null): string {
  const mark = readMark(row.comment);
  const isOurs = ownerOfRow(writer, row, reference) === 'ours';
  const covered = areWithin(row.environments, writer.settings.deployment_environments)
    ? row.environments
    : [];
  const known = readReference(reference);
  return writeReference({
    id: row.id,
    environments: mark && isOurs ? mark.environments : covered,
    writtenAt: known?.id === row.id ? known.writtenAt : null,
  });
}

/** The reference of a row that we have just written, as Vercel answered. */
export function referenceOfWritten(
  { settings }: Pick<Writer, 'settings'>,
  { id, isSensitive, changedAt }: Row,
): string {
  // A value that can be read is compared itself.
  const writtenAt = isSensitive ? (changedAt?.getTime() ?? null) : null;
  return writeReference({ id, environments: settings.deployment_environments, writtenAt });
}

// Both times are Vercel's. It may round one of them.
const TOLERANCE_MS = 1000;

/** Whether somebody wrote a row after the write that the ledger knows; null if that cannot be told. */
export function isChangedByOthers({ id, changedAt }: Row, reference: string | null): boolean | null {
  const known = readReference(reference);
  if (known?.id !== id || known.writtenAt === null || changedAt === null) return null;
  return changedAt.getTime() > known.writtenAt + TOLERANCE_MS;
}

// What ends it: no decision about the entry does.
const WAYS = 'give the link another name, or unlink the secret';

/** Why a row cannot be changed that also serves environments outside the destination. */
export function sharedMessage({ settings }: Writer, row: Row): string {
  return `At Vercel, this variable also has environments outside this destination (it has ${nameEnvironments(row.environments)}; the destination has ${nameEnvironments(settings.deployment_environments)}). A change would affect them too, so it cannot be adopted or overwritten: split the variable there, choose its environments for the destination, ${WAYS}.`;
}

/** Why an entry cannot have all environments of the destination: somebody else's rows have some of them. */
export function takenMessage({ project, settings }: Place, rows: Row[]): string {
  const taken = settings.deployment_environments.filter((one) =>
    rows.some(({ environments }) => environments.includes(one)),
  );
  const where = taken.length > 0 ? nameEnvironments(taken) : "one of the destination's environments";
  const isOne = rows.length < 2;
  const who = isOne ? 'Another variable' : 'Other variables';
  return `${who} of this name in ${project.container} already ${isOne ? 'has' : 'have'} ${where}. ${isOne ? 'It' : 'They'} cannot be adopted or overwritten: remove ${isOne ? 'it' : 'them'} there, choose other environments for the destination, ${WAYS}.`;
}

/**
 * Why nobody can take over a row that is not ours, of all rows that are in its way; undefined if one can. What it becomes must
 * have the environments of the destination, and no others.
 */
export function blockageOf(place: Place, row: Row, candidates: Row[]): string | undefined {
  if (ownerOfRow(place, row, null) === 'ours') return undefined;
  const { deployment_environments: wanted } = place.settings;
  if (row.environments.some((one) => !wanted.some((own) => own === one))) return sharedMessage(place, row);
  return candidates.length > 1 ? takenMessage(place, candidates) : undefined;
}
