import { useEffect, useRef, type ReactNode } from 'react';
import kit from '../kit/kit.module.css';
import { FailureNotice } from '../kit/failure-notice.tsx';
import { lookUpSession, useSession } from './session.ts';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in.module.css';

/** Shows the console to whoever is signed in. Where the session ends, what was typed waits behind an opaque dialog. */
export function Gate({ children }: { children: ReactNode }) {
  const session = useSession();
  useEffect(() => void lookUpSession(), []);

  switch (session.kind) {
    case 'unknown':
      return null;
    case 'away':
      return (
        <main className={styles.page}>
          <div className={kit.stack}>
            <FailureNotice failure={session.failure} retry={() => void lookUpSession()} />
          </div>
        </main>
      );
    case 'none':
      return <SignIn />;
    case 'present':
    case 'lost':
      return (
        <>
          <div hidden={session.kind === 'lost'}>{children}</div>
          {session.kind === 'lost' ? <Again name={session.session.display_name} /> : null}
        </>
      );
  }
}

function Again({ name }: { name: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={`${kit.dialog} ${kit.opaque}`}
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
    >
      <SignIn again={name} />
    </dialog>
  );
}
