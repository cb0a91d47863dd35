import { TriangleAlert } from 'lucide-react';
import { ApiFailure } from '../api/failure.ts';
import { Button } from './button.tsx';
import kit from './kit.module.css';

/** What failed, what to do, and by which id the log has it. */
export function FailureNotice({ failure, retry }: { failure: unknown; retry?: () => void }) {
  const problems = failure instanceof ApiFailure ? failure.problems.map(({ detail }) => detail) : [];
  const texts =
    problems.length > 0 ? problems : [failure instanceof Error ? failure.message : String(failure)];
  const requestId = failure instanceof ApiFailure ? failure.requestId : '';
  return (
    <div className={`${kit.notice} ${kit.person}`} role="alert">
      <TriangleAlert size={18} aria-hidden />
      <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
        {texts.map((text) => (
          <p key={text}>{capitalise(text)}</p>
        ))}
        {requestId ? <p className={`${kit.small} ${kit.muted}`}>Request {requestId}</p> : null}
      </div>
      {retry ? <Button onClick={retry}>Retry</Button> : null}
    </div>
  );
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
