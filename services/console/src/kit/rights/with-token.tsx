import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import kit from '../kit.module.css';
import { LineInput } from '../text/line-input.tsx';

/** The field for the token of one call: the API lets no browser session decide who else gets in. */
export function TokenField({ token, set }: { token: string; set: (token: string) => void }) {
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
        aria-describedby={`${id}-about`}
        value={token}
        change={set}
      />
      <p id={`${id}-about`} className={`${kit.small} ${kit.muted}`}>
        This lets others in, so a browser session is not enough. The token is used for this one call, and not
        kept. If you signed in by single sign-on, create one under{' '}
        <Link to="/access/tokens" target="_blank">
          Tokens
        </Link>{' '}
        first, or with sealift login.
      </p>
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
    if (!(error instanceof ApiFailure) || error.message !== 'permission denied') throw error;
    throw error.withProblems([{ detail: 'The token is invalid or expired, or lacks the right to do this.' }]);
  }
}
