import { useState, type FormEvent } from 'react';
import { Button } from '../kit/button.tsx';
import { FailureNotice } from '../kit/failure-notice.tsx';
import styles from './sign-in.module.css';
import kit from '../kit/kit.module.css';
import { signIn } from './session.ts';

/** Where a token becomes a session. `again`: the page behind it waits for `name`. */
export function SignIn({ again }: { again?: string }) {
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await signIn(token.trim());
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };

  return (
    <main className={styles.page}>
      <form className={`${kit.card} ${styles.card}`} onSubmit={(event) => void submit(event)}>
        <div className={kit.row}>
          <img src="/ui/icon.svg" alt="" width="32" height="32" />
          <h1>{again ? 'Sign in again' : 'Sign in to Sealift'}</h1>
        </div>
        {again ? (
          <p className={kit.muted}>
            The session has ended. What you typed is still there when you sign in as {again}.
          </p>
        ) : null}
        <div className={kit.field}>
          <label className={kit.label} htmlFor="token">
            Token
          </label>
          <input
            id="token"
            className={kit.input}
            type="password"
            autoComplete="current-password"
            autoFocus
            required
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
          <p className={`${kit.small} ${kit.muted}`}>
            It is exchanged for a session of this browser and not kept. The session ends after 30 minutes
            without use.
          </p>
        </div>
        {failure ? <FailureNotice failure={explain(failure)} /> : null}
        <Button kind="primary" type="submit" busy={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

function explain(failure: unknown): unknown {
  const isBadToken = failure instanceof Error && failure.message === 'permission denied';
  return isBadToken ? new Error('This token is not known here, or has ended.') : failure;
}
