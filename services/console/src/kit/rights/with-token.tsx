import { useId } from 'react';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import kit from '../kit.module.css';
import { LineInput } from '../text/line-input.tsx';

const FIELD = 'your token';

/** What a refusal says of that token; null: the refusal is about something else. */
export function faultOfToken(failure: unknown): string | null {
  const [problem] = failure instanceof ApiFailure ? failure.problems : [];
  return problem?.field === FIELD ? problem.detail : null;
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
  const id = useId();
  return (
    <div className={kit.field} data-passing>
      <label className={kit.label} htmlFor={id}>
        Your token
      </label>
      <LineInput
        id={id}
        type="password"
        autoComplete="current-password"
        required
        aria-invalid={fault !== null}
        aria-describedby={`${id}-about`}
        value={token}
        change={set}
      />
      <div id={`${id}-about`} className={kit.small}>
        {fault === null ? null : <p className={kit.fault}>{fault}</p>}
        <p className={kit.muted}>
          A browser session can’t let others in. Enter a token from <code>sealift login</code> or{' '}
          <code>sealift token create</code>; one created in this console doesn’t work. It is used once and not
          stored.
        </p>
      </div>
    </div>
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
    if (!(error instanceof ApiFailure) || error.status !== 403) throw error;
    const isPlain = error.message === 'permission denied';
    const detail = isPlain
      ? 'This token is invalid or expired, or its policies don’t allow this.'
      : error.message;
    throw error.withProblems([{ field: FIELD, detail: withoutMarks(detail) }]);
  }
}

function withoutMarks(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replaceAll('`', '');
}
