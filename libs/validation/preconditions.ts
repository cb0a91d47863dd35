import { RequestError } from '../errors/request-error.ts';

/** The last change of a stored object: who, when, and the number of changes; null if not recorded. */
export type Stamp = { revision: number; changed_at: Date | null; changed_by: string | null };

/**
 * Identifies one state of an object. The number alone would not: an object that is deleted and created again counts from
 * 1, and a failover may repeat a number for other content.
 */
export function revisionOf({ revision, changed_at: at }: Stamp): string {
  return at ? `${revision}-${at.getTime().toString(36)}` : String(revision);
}

/** The revision in header form. */
export function etagOf(stamp: Stamp): string {
  return `"${revisionOf(stamp)}"`;
}

/**
 * Throws 412 if a change is based on a state other than the present one; `present` is undefined if the object does not
 * exist. `ifMatch` is the header; without it every change is accepted. `what` names the object.
 */
export function requireMatch(ifMatch: string | undefined, present: Stamp | undefined, what: string): void {
  if (!ifMatch) return;
  const wanted = ifMatch.split(',').map((tag) => tag.trim());
  if (present && (wanted.includes('*') || wanted.includes(etagOf(present)))) return;
  const headers = present ? { ETag: etagOf(present) } : undefined;
  throw new RequestError(412, 'precondition_failed', [describe(present, what)], headers);
}

/** Throws 412 if the object that a call wants to create already exists (`If-None-Match: *`). */
export function requireAbsent(
  ifNoneMatch: string | undefined,
  present: Stamp | undefined,
  what: string,
): void {
  if (ifNoneMatch?.trim() !== '*' || !present) return;
  throw new RequestError(412, 'precondition_failed', [`${what} already exists: choose another name`], {
    ETag: etagOf(present),
  });
}

function describe(present: Stamp | undefined, what: string): string {
  if (!present) return `${what} no longer exists; nothing was changed`;
  const who = present.changed_by ?? 'somebody';
  const when = present.changed_at ? ` at ${present.changed_at.toISOString()}` : '';
  return `${what} was changed by ${who}${when} after you read it; nothing was changed: read it again`;
}
