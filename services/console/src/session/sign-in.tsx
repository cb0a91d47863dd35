import { useEffect, useState, type FormEvent } from 'react';
import { actorText } from '../../../../libs/telling/actor.ts';
import type { SessionAnswer, SignInMethodsAnswer } from '../../../api/contract/sessions.ts';
import { read } from '../api/client.ts';
import { useAttempt } from '../kit/attempt.ts';
import { Button } from '../kit/button.tsx';
import { FailureNotice } from '../kit/failure-notice.tsx';
import { useWrongField } from '../kit/refusing/wrong-field.ts';
import { LineInput } from '../kit/text/line-input.tsx';
import styles from './sign-in.module.css';
import kit from '../kit/kit.module.css';
import { signIn, type SessionEnd } from './session.ts';

const ENDS: Record<SessionEnd, string> = {
  'signed-out': 'You signed out in another tab.',
  ended: 'Your session was ended, or its token was revoked. If it was revoked, use another token.',
  expired: 'Your session has expired.',
};

/**
 * The sign-in page. `again`: the page behind it waits for the person of this session, and `why` it
 * has to; `failure`: why the last attempt failed.
 */
export function SignIn({
  again,
  why = 'expired',
  failure: earlier,
}: {
  again?: SessionAnswer;
  why?: SessionEnd;
  failure?: unknown;
}) {
  const methods = useMethods();
  return (
    <main className={again ? '' : styles.page}>
      <div className={again ? styles.card : `${kit.card} ${styles.card}`}>
        <div className={kit.row}>
          <img src="/ui/icon.svg" alt="" width="32" height="32" />
          <h1>{again ? 'Sign in again' : 'Sign in to Sealift'}</h1>
        </div>
        {again ? (
          <p className={kit.muted}>
            {ENDS[why]} Sign in as {actorText(again.display_name)} within 15 minutes to keep what you typed.
          </p>
        ) : null}
        {earlier ? <FailureNotice failure={earlier} /> : null}
        {methods?.saml ? <SingleSignOn again={again} /> : null}
        <TokenForm />
        {methods?.help ? <p className={kit.lines}>{methods.help}</p> : null}
        {methods?.support ? (
          <p className={kit.muted}>
            Help: <a href={`mailto:${methods.support}`}>{methods.support}</a>
          </p>
        ) : null}
      </div>
    </main>
  );
}

// The waiting page stays open, so the identity provider opens in a new tab. It goes on in its own namespace.
function SingleSignOn({ again }: { again: SessionAnswer | undefined }) {
  const namespace = again ? `&namespace=${encodeURIComponent(again.namespace_path)}` : '';
  return (
    <a
      href={`/users/saml/login?console=true${namespace}`}
      className={`${kit.button} ${kit.primary}`}
      {...(again ? { target: '_blank' } : {})}
    >
      Single sign-on
    </a>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const { busy, failure, attempt } = useAttempt();
  const form = useWrongField<HTMLFormElement>(failure);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(async () => {
      if (token.trim() === '') throw new Error('Enter a token.');
      await signIn(token.trim());
    });
  };
  return (
    <form ref={form} noValidate className={kit.stack} onSubmit={submit}>
      <div className={kit.field}>
        <label className={kit.label} htmlFor="token">
          Token
        </label>
        <LineInput
          id="token"
          type="password"
          autoComplete="current-password"
          autoFocus
          aria-required
          aria-invalid={failure !== null}
          value={token}
          change={setToken}
        />
        <p className={`${kit.small} ${kit.muted}`}>
          An administrator gives it to you, or <code>sealift token create</code> makes one. Used once to start
          a browser session; never stored. Sessions expire after 30 minutes of inactivity.
        </p>
      </div>
      {failure ? <FailureNotice failure={explain(failure)} /> : null}
      <Button kind="primary" type="submit" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}

// Without an answer, the token remains, which always works.
function useMethods(): SignInMethodsAnswer | null {
  const [methods, setMethods] = useState<SignInMethodsAnswer | null>(null);
  useEffect(() => {
    read<SignInMethodsAnswer>('auth/session/methods', { background: true }).then(setMethods, () => undefined);
  }, []);
  return methods;
}

function explain(failure: unknown): unknown {
  const isBadToken = failure instanceof Error && failure.message === 'permission denied';
  return isBadToken ? new Error('Invalid or expired token.') : failure;
}
