import { useAttempt } from '../kit/attempt.ts';
import { Button } from '../kit/button.tsx';
import { FailureNotice } from '../kit/failure-notice.tsx';
import kit from '../kit/kit.module.css';
import styles from './sign-in.module.css';
import { enterNamespace } from './session.ts';

/** Asks a person whose teams have policies in several namespaces which of them the session is for. */
export function ChooseNamespace({ namespaces }: { namespaces: string[] }) {
  const { busy, failure, attempt } = useAttempt();
  return (
    <main className={styles.page}>
      <div className={`${kit.card} ${styles.card}`}>
        <div className={kit.row}>
          <img src="/ui/icon.svg" alt="" width="32" height="32" />
          <h1>Choose a namespace</h1>
        </div>
        <p className={kit.muted}>
          Your teams have policies in several namespaces. A session is for one of them; sign in again to use
          another one.
        </p>
        {failure ? <FailureNotice failure={failure} /> : null}
        <ul className={kit.stack}>
          {namespaces.map((path) => (
            <li key={path}>
              <Button disabled={busy} onClick={() => void attempt(() => enterNamespace(path))}>
                {path.replace(/\/$/, '') || 'root'}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
