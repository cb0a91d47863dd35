import { useEffect, useRef, type ReactNode } from 'react';
import type { SessionAnswer } from '../../../api/contract/sessions.ts';
import kit from '../kit/kit.module.css';
import { FailureNotice } from '../kit/failure-notice.tsx';
import { ChooseNamespace } from './choose-namespace.tsx';
import { EndWarning } from './end-warning.tsx';
import { finishSignIn, lookUpSession, startAfresh, useSession, type SessionEnd } from './session.ts';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in.module.css';

// How long a page without its session waits for its user to sign in again.
const KEPT_MS = 15 * 60_000;

// The page to which the answer of the identity provider leads.
const SIGNING_IN = '/ui/signing-in';

/** Shows the console to a signed-in user. When the session ends, what the user typed waits behind an opaque dialog. */
export function Gate({ children }: { children: ReactNode }) {
  const session = useSession();
  useEffect(() => {
    void (window.location.pathname === SIGNING_IN ? finishSignIn() : lookUpSession());
  }, []);

  switch (session.kind) {
    case 'unknown':
      return <p className="loading">Loading…</p>;
    case 'away':
      return (
        <main className={styles.page}>
          <div className={kit.stack}>
            <FailureNotice failure={session.failure} retry={() => void lookUpSession()} />
          </div>
        </main>
      );
    case 'none':
      return <SignIn failure={session.failure} />;
    case 'choosing':
      return <ChooseNamespace namespaces={session.namespaces} />;
    case 'present':
    case 'lost':
      return (
        <>
          <div hidden={session.kind === 'lost'}>{children}</div>
          {session.kind === 'present' ? <EndWarning session={session.session} /> : null}
          {session.kind === 'lost' ? <Again session={session.session} why={session.why} /> : null}
        </>
      );
  }
}

function Again({ session, why }: { session: SessionAnswer; why: SessionEnd }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const timer = setTimeout(startAfresh, KEPT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${kit.dialog} ${kit.opaque}`}
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
    >
      <SignIn again={session} why={why} />
    </dialog>
  );
}
