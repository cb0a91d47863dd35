import { Lock, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { Button } from './button.tsx';
import kit from './kit.module.css';
import { MissingRights } from './rights/missing-right.tsx';
import { useNow } from './time.tsx';

/** What failed, what to do, and the id of the request in the log. */
export function FailureNotice({ failure, retry }: { failure: unknown; retry?: () => void }) {
  const problems = failure instanceof ApiFailure ? failure.problems.map(({ detail }) => detail) : [];
  const texts =
    problems.length > 0 ? problems : [failure instanceof Error ? failure.message : String(failure)];
  const requestId = failure instanceof ApiFailure ? failure.requestId : '';
  const rights = failure instanceof ApiFailure ? failure.rights : [];
  const waitSeconds = useWait(failure);
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
      {waitSeconds > 0 ? <span className={kit.muted}>Try again in {waitSeconds} s</span> : null}
      {retry && !isRefused ? (
        <Button disabled={waitSeconds > 0} onClick={retry}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}

// Seconds until the service may be asked again; 0 if it does not say, or if the time is over.
function useWait(failure: unknown): number {
  const now = useNow(1000);
  // Counts from the time when the failure was shown.
  const [until, setUntil] = useState({ failure, at: endOf(failure) });
  if (until.failure !== failure) setUntil({ failure, at: endOf(failure) });
  return Math.max(0, Math.ceil((until.at - now) / 1000));
}

function endOf(failure: unknown): number {
  const seconds = failure instanceof ApiFailure ? failure.retryAfter : null;
  return seconds === null ? 0 : Date.now() + seconds * 1000;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
