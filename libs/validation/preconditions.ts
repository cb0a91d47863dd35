import { badRequest, RequestError } from '../errors/request-error.ts';

/** The last change of a stored object: who, when, and the number of changes; null if not recorded. */
export type Stamp = { revision: number; changed_at: Date | null; changed_by: string | null };

/**
 * Identifies one state of an object. The number alone would not: an object that is deleted and created again counts from
 * 1, and a failover may repeat a number for other content.
 */
export function revisionOf({ revision, changed_at: changedAt }: Stamp): string {
  return changedAt ? `${revision}-${changedAt.getTime().toString(36)}` : String(revision);
}

/** The revision in header form. */
export function etagOf(stamp: Stamp): string {
  return `"${revisionOf(stamp)}"`;
}

/**
 * Whether a list of entity tags names this one. They are compared weakly, because a proxy that compresses answers makes
 * tags weak (`W/"…"`).
 */
export function namesTag(header: string, tag: string): boolean {
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/**
 * Throws 412 if a change is based on a state other than the present one; `present` is undefined if the object does not
 * exist. `ifMatch` is the header; without it every change is accepted. `what` names the object.
 */
export function requireMatch(ifMatch: string | undefined, present: Stamp | undefined, what: string): void {
  if (!ifMatch) return;
  if (present && (ifMatch.trim() === '*' || namesTag(ifMatch, etagOf(present)))) return;
  const headers = present ? { ETag: etagOf(present) } : undefined;
  throw new RequestError('precondition_failed', [describe(present, what)], headers);
}

/** Whether a call can only create (`If-None-Match: *`). */
export function mustBeNew(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === '*';
}

/** Throws 412 if the object already exists (`If-None-Match: *`), or is in a state that the header names. */
export function requireAbsent(
  ifNoneMatch: string | undefined,
  present: Stamp | undefined,
  what: string,
): void {
  if (!ifNoneMatch || !present) return;
  const isAny = mustBeNew(ifNoneMatch);
  if (!isAny && !namesTag(ifNoneMatch, etagOf(present))) return;
  const fault = isAny ? takenBy(what) : `${what} is in a state that If-None-Match names`;
  throw new RequestError('precondition_failed', [fault], { ETag: etagOf(present) });
}

/** The same of an object without revisions: it takes only `If-None-Match: *`. Throws 400 for any other one. */
export function requireNone(ifNoneMatch: string | undefined, isThere: boolean, what: string): void {
  if (!ifNoneMatch) return;
  if (!mustBeNew(ifNoneMatch)) throw badRequest(`If-None-Match must be *: ${what} has no revisions`);
  if (isThere) throw new RequestError('precondition_failed', [takenBy(what)]);
}

// Begins with what is wrong, which a form has a field for.
function takenBy(what: string): string {
  return `the name is taken: ${what} already exists`;
}

function describe(present: Stamp | undefined, what: string): string {
  if (!present) return `${what} no longer exists; nothing was changed`;
  const who = present.changed_by ?? 'somebody';
  const when = present.changed_at ? ` at ${present.changed_at.toISOString()}` : '';
  return `${what} was changed by ${who}${when} after you read it; nothing was changed: read it again`;
}
