import { Lock, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { Button } from './button.tsx';
import kit from './kit.module.css';
import { MissingRights } from './rights/missing-right.tsx';
import { capitalise } from './text/capitalise.ts';
import { useNow } from './time.tsx';

// How soon a read is repeated if the service does not say it.
const AGAIN_SECONDS = 5;

/**
 * What failed, what to do, and the id of the request in the log. `retry` repeats a read: also by itself, if the service is
 * away or asks to wait, as soon as the countdown ends.
 */
export function FailureNotice({ failure, retry }: { failure: unknown; retry?: (() => void) | undefined }) {
  const problems = failure instanceof ApiFailure ? failure.problems.map(({ detail }) => detail) : [];
  const texts =
    problems.length > 0 ? problems : [failure instanceof Error ? failure.message : String(failure)];
  const requestId = failure instanceof ApiFailure ? failure.requestId : '';
  const rights = failure instanceof ApiFailure ? failure.rights : [];
  const waitSeconds = useWait(failure, retry);
  // A missing right is no fault, and trying again changes nothing.
  const isRefused = failure instanceof ApiFailure && failure.status === 403 && rights.length > 0;
  const Icon = isRefused ? Lock : TriangleAlert;
  return (
    <div className={`${kit.notice} ${isRefused ? '' : kit.person}`} role="alert">
      <Icon size={18} aria-hidden />
      <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
        {texts.map((text) => (
          <p key={text}>{capitalise(text)}</p>
        ))}
        <MissingRights rights={rights} />
        {requestId ? <p className={`${kit.small} ${kit.muted}`}>Request {requestId}</p> : null}
      </div>
      {waitSeconds > 0 ? (
        <span className={kit.muted}>
          {retry ? 'Retries' : 'Try again'} in {waitSeconds} s
        </span>
      ) : null}
      {retry && !isRefused ? (
        <Button disabled={waitSeconds > 0 && isToldToWait(failure)} onClick={retry}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}

// Seconds until the service may be asked again; 0 if it does not say, or if the time is over. A read is then repeated.
function useWait(failure: unknown, retry: (() => void) | undefined): number {
  const now = useNow(1000);
  const isRead = retry !== undefined;
  // Counts from the time when the failure was shown.
  const [until, setUntil] = useState({ failure, at: endOf(failure, isRead) });
  if (until.failure !== failure) setUntil({ failure, at: endOf(failure, isRead) });
  const repeat = useRef(retry);
  useEffect(() => {
    repeat.current = retry;
  });
  useEffect(() => {
    if (until.at === 0) return undefined;
    const timer = setTimeout(() => repeat.current?.(), Math.max(0, until.at - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return Math.max(0, Math.ceil((until.at - now) / 1000));
}

function endOf(failure: unknown, isRead: boolean): number {
  if (!(failure instanceof ApiFailure)) return 0;
  const { status, retryAfter } = failure;
  const isAway = status === 0 || status >= 500;
  const seconds = retryAfter ?? (isRead && isAway ? AGAIN_SECONDS : null);
  return seconds === null ? 0 : Date.now() + seconds * 1000;
}

function isToldToWait(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.retryAfter !== null;
}
