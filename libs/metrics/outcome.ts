import type { Counter } from 'prom-client';
import { RequestError } from '../errors/request-error.ts';

// Codes come from our own tables; this limits the damage if one does not.
const CODE = /^[a-z][a-z0-9_]{0,49}$/;
const MOST_CODES = 200;

/**
 * Counts how an action ended: `done`, the code of its RequestError, or `internal`. Passes its result or error through.
 */
export async function countOutcome<Result>(
  counter: Counter<'outcome'>,
  action: Promise<Result>,
): Promise<Result> {
  try {
    const result = await action;
    counter.inc({ outcome: 'done' });
    return result;
  } catch (error) {
    counter.inc({ outcome: error instanceof RequestError ? error.code : 'internal' });
    throw error;
  }
}

/** Makes label values of cause codes: `none` for no code, `other` for an invalid code, or if there are too many. */
export function createCodeLabels(): (code: string | undefined) => string {
  const known = new Set<string>();
  return (code) => {
    if (code === undefined) return 'none';
    if (!CODE.test(code) || (known.size >= MOST_CODES && !known.has(code))) return 'other';
    known.add(code);
    return code;
  };
}
