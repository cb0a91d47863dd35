import { FailureNotice } from '../failure-notice.tsx';
import kit from '../kit.module.css';
import { useSeen } from './seen.ts';

/**
 * What an action of the user came to, if it failed, brought to where it can be seen. `wrong`: the names of the fields that
 * it marked, which say the rest; `said` begins the sentence that names them.
 */
export function Refusal({
  failure,
  wrong = [],
  said = 'Not saved.',
}: {
  failure: unknown;
  wrong?: string[];
  said?: string;
}) {
  const names = wrong.join(', ');
  const place = useSeen<HTMLDivElement>(failure || names);
  if (!failure && !names) return null;
  return (
    <div ref={place} className={`${kit.stack} ${kit.tight} ${kit.seen}`}>
      {failure ? <FailureNotice failure={failure} /> : null}
      {names ? (
        <p role="alert" className={kit.fault}>
          {said} Check {names}.
        </p>
      ) : null}
    </div>
  );
}
