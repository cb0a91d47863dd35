import type { Found } from '../../../libs/connector/contract.ts';
import type { HostingProjectSettings } from './destination.ts';
import { areSame, areWithin, overlap, readMark, readReference, writeMark, writeReference } from './marks.ts';
import type { Row, Variable } from './rows.ts';

/** Who writes rows, and how. */
type Writer = { settings: HostingProjectSettings; installation: string };

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
