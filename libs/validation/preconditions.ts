import { RequestError } from '../errors/request-error.ts';

/** Who changed a stored thing last, when, and how often it was changed; null where nobody wrote it down. */
export type Stamp = { revision: number; changed_at: Date | null; changed_by: string | null };

/**
 * Names one state of a thing. The count alone would not: what is deleted and made again counts from 1, and a failover may
 * repeat a number for another content.
 */
export function revisionOf({ revision, changed_at: at }: Stamp): string {
  return at ? `${revision}-${at.getTime().toString(36)}` : String(revision);
}

/** The revision as a header has it. */
export function etagOf(stamp: Stamp): string {
  return `"${revisionOf(stamp)}"`;
}

/**
 * Throws 412 where a change was made for another state of a thing than the present one, which is undefined where there is no
 * such thing. `ifMatch` is the header; without it everything is welcome. `what` names the thing.
 */
export function requireMatch(ifMatch: string | undefined, present: Stamp | undefined, what: string): void {
  if (!ifMatch) return;
  const wanted = ifMatch.split(',').map((tag) => tag.trim());
  if (present && (wanted.includes('*') || wanted.includes(etagOf(present)))) return;
  const headers = present ? { ETag: etagOf(present) } : undefined;
  throw new RequestError(412, 'precondition_failed', [describe(present, what)], headers);
}

/** Throws 412 where a thing is there that a call wants to make (`If-None-Match: *`). */
export function requireAbsent(
  ifNoneMatch: string | undefined,
  present: Stamp | undefined,
  what: string,
): void {
  if (ifNoneMatch?.trim() !== '*' || !present) return;
  throw new RequestError(412, 'precondition_failed', [`${what} is there already: choose another name`], {
    ETag: etagOf(present),
  });
}

function describe(present: Stamp | undefined, what: string): string {
  if (!present) return `${what} is not there any more; nothing was changed`;
  const who = present.changed_by ?? 'somebody';
  const when = present.changed_at ? ` at ${present.changed_at.toISOString()}` : '';
  return `${what} was changed by ${who}${when} after you read it; nothing was changed: read it again`;
}
