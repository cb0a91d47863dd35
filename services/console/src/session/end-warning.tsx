import { useEffect, useState } from 'react';
import type { SessionAnswer } from '../../../api/contract/sessions.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import kit from '../kit/kit.module.css';
import { useNow } from '../kit/time.tsx';
import { lookUpSession, signOut } from './session.ts';

const WARNING_SECONDS = 60;
const SOON = { idle_remaining_seconds: WARNING_SECONDS + 15 };

/** Warns a minute before the session ends, and lets the user extend it. */
export function EndWarning({ session }: { session: SessionAnswer }) {
  const { end, canStay, stay } = useNearEnd(session);
  if (end === null) return null;
  return (
    <Dialog title="Your session is about to expire" close={() => void stay()}>
      <Left until={end} />
      {canStay ? null : <p>It has reached its maximum length. Sign in again to continue.</p>}
      <p className={kit.muted}>What you typed is kept until you sign in again.</p>
      <div className={kit.row}>
        {canStay ? (
          <Button kind="primary" onClick={() => void stay()}>
            Stay signed in
          </Button>
        ) : null}
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </Dialog>
  );
}

function Left({ until }: { until: number }) {
  const now = useNow(1000);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    if (seconds === 0) void lookUpSession();
  }, [seconds]);
  return <p role="timer">It expires in {seconds} s.</p>;
}

type NearEnd = {
  /** When the session ends, by this machine's clock; null while the end is not near. */
  end: number | null;
  canStay: boolean;
  stay: () => Promise<void>;
};

// Other pages of the browser use the session too, so we ask the service before we warn the user.
function useNearEnd(session: SessionAnswer): NearEnd {
  const [latest, setLatest] = useState({ session, at: Date.now(), isNear: false });
  const note = (found: SessionAnswer | undefined): void => {
    // The service does not answer now, so we ask again soon.
    if (!found) return setLatest((before) => ({ ...before, session: { ...before.session, ...SOON } }));
    setLatest({ session: found, at: Date.now(), isNear: remainingOf(found) <= WARNING_SECONDS });
  };
  useEffect(() => {
    if (latest.isNear) return undefined;
    const wait = (remainingOf(latest.session) - WARNING_SECONDS) * 1000;
    const timer = setTimeout(() => void lookUpSession().then(note), Math.max(1000, wait));
    return () => clearTimeout(timer);
  }, [latest]);
  return {
    end: latest.isNear ? latest.at + remainingOf(latest.session) * 1000 : null,
    canStay: latest.session.remaining_seconds > WARNING_SECONDS,
    stay: async () => note(await lookUpSession({ isUse: true })),
  };
}

function remainingOf({ idle_remaining_seconds: idle, remaining_seconds: most }: SessionAnswer): number {
  return Math.min(idle, most);
}
