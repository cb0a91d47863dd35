import type { ConnectorError } from '../../../libs/connector/errors.ts';
import { defineFailures } from '../../../libs/connector/http/failures.ts';

/** Answers of a lockbox whose meaning the status alone does not show. */
export const failures = defineFailures({
  store: 'Lockbox',
  setting: 'address',
  limitWaitMs: 1000,
  causes: {
    box_sealed: {
      kind: 'external',
      scope: 'destination',
      message: 'The box is sealed for an inspection.',
      action: 'Ask the keeper of the box if this lasts.',
    },
  },
  rows: [
    { codes: ['sealed'], code: 'box_sealed' },
    {
      status: 403,
      code: 'permission_missing',
      scope: 'destination',
      message: 'The account of the access_key may not use the box {box}; give it the right to write there.',
    },
    { status: 404, code: 'not_found' },
    { status: 409, code: 'conflict' },
    { status: 422, code: 'request_refused', final: true },
  ],
});

/** Describes an answer that is not a success. It shows nothing of the body, which may contain anything. */
export function describeAnswer({ status, headers }: Response, problem: unknown, box: string): ConnectorError {
  return failures.describeAnswer({
    status,
    header: (name) => headers.get(name) ?? undefined,
    codes: [String(problem)],
    words: { box },
  });
}
