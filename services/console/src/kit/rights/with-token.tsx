import type { Call } from '../../api/curl.ts';
import { ApiFailure, type Problem } from '../../api/failure.ts';
import { Field } from '../text/field.tsx';
import { LineInput } from '../text/line-input.tsx';

const FIELD = 'your token';

/** The label of the field for the token. */
export const TOKEN_TITLE = 'Your token';

/** What is wrong with the token before it is sent. */
export function faultsOfTypedToken(token: string): Problem[] {
  return token.trim() === '' ? [{ field: FIELD, detail: 'Enter your token.' }] : [];
}

/** Parts a refusal: what it says of the token, null if nothing, and the rest, null if that was all. */
export function partTokenFault(failure: unknown): { ofToken: string | null; others: unknown } {
  if (!(failure instanceof ApiFailure)) return { ofToken: null, others: failure };
  const fault = failure.problems.find(({ field }) => field === FIELD);
  if (!fault) return { ofToken: null, others: failure };
  const others = failure.problems.filter((problem) => problem !== fault);
  return { ofToken: fault.detail, others: others.length > 0 ? failure.withProblems(others) : null };
}

/** The field for the token of one call: the API lets no browser session decide who else gets in. */
export function TokenField({
  token,
  fault,
  set,
}: {
  token: string;
  fault: string | null;
  set: (token: string) => void;
}) {
  const about = (
    <>
      A browser session can’t let others in. Enter a token from <code>sealift login</code> or{' '}
      <code>sealift token create</code>; one created in this console doesn’t work. It is used once and not
      stored.
    </>
  );
  return (
    <Field label={TOKEN_TITLE} isRequired isPassing about={about} fault={fault}>
      {(control) => (
        <LineInput {...control} type="password" autoComplete="current-password" value={token} change={set} />
      )}
    </Field>
  );
}

/** Makes a call with a token instead of the session. Throws ApiFailure. */
export async function withToken<Data>(
  call: Call,
  token: string,
  carryOut: (call: Call) => Promise<Data>,
): Promise<Data> {
  try {
    return await carryOut({ ...call, headers: { ...call.headers, Authorization: `Bearer ${token.trim()}` } });
  } catch (error) {
    if (!(error instanceof ApiFailure) || !isRefused(call, error)) throw error;
    const isPlain = error.status !== 403 || error.message === 'permission denied';
    const detail = isPlain
      ? 'This token is invalid or expired, or its policies don’t allow this.'
      : error.message;
    throw error.withProblems([{ field: FIELD, detail: withoutMarks(detail) }]);
  }
}

// For site administration the API answers 401 to an unknown token, and 404 to one without the right.
function isRefused({ path }: Call, { status }: ApiFailure): boolean {
  return status === 403 || (path.startsWith('/api/v2/') && (status === 401 || status === 404));
}

function withoutMarks(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replaceAll('`', '');
}
