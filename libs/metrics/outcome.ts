import type { Counter } from 'prom-client';
import { RequestError } from '../errors/request-error.ts';

// Codes are made by our own tables; this only bounds the damage of one that is not.
const CODE = /^[a-z][a-z0-9_]{0,49}$/;
const MOST_CODES = 200;

/** Counts how an action ended: `done`, the code of its RequestError, or `internal`; its result or error passes through. */
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

/** Makes labels of cause codes: `none` where there is none, `other` for what is no code or one too many. */
export function createCodeLabels(): (code: string | undefined) => string {
  const known = new Set<string>();
  return (code) => {
    if (code === undefined) return 'none';
    if (!CODE.test(code) || (known.size >= MOST_CODES && !known.has(code))) return 'other';
    known.add(code);
    return code;
  };
}
