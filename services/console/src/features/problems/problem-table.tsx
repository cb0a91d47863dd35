import { Link } from '@tanstack/react-router';
import type { ProblemAnswer } from '../../../../api/contract/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Status } from '../../kit/status.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { Time } from '../../kit/time.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { CauseText, DecidedText, StandingText } from './cause-text.tsx';
import { CauseTitle } from './cause-title.tsx';
import { NextAttempt } from './next-attempt.tsx';
import { canRetryHelp, Remedy } from './remedy.tsx';
import { RetryButton } from './retry-button.tsx';

/** One row for each cause at each destination: what fails, since when, and the two possible actions. */
export function ProblemTable({ problems }: { problems: ProblemAnswer[] }) {
  return (
    <Table columns={['Problem', 'Since', ACTIONS]}>
      {problems.map((problem) => (
        <ProblemRow key={keyOf(problem)} problem={problem} />
      ))}
    </Table>
  );
}

function ProblemRow({ problem }: { problem: ProblemAnswer }) {
  const { store_type: type, store_name: name, cause, messages, count, decided, standing, example } = problem;
  const code = cause?.code ?? '';
  const only = count === 1 ? `${example.mount}/${example.secret_name}` : undefined;
  // Nothing is left to do about the others.
  const open = count - decided;
  const isDrift = problem.sync_status === 'DRIFTED';
  return (
    <tr>
      <td className={kit.self}>
        <div className={kit.row}>
          {open > 0 ? <Status status={problem.sync_status} count={open} /> : null}
          {decided > 0 ? <Status status="PAUSED" count={decided} /> : null}
          <Link to="/destinations/$type/$name" params={{ type, name }} search={{ cause: code }}>
            {useDestinationName()(type, name)}
          </Link>
        </div>
        <CauseTitle code={code} />
        {open > 0 ? <CauseText type={type} cause={cause} links={open} messages={messages} /> : null}
        <StandingText standing={standing} links={open} />
        <DecidedText links={decided} />
        {only === undefined ? null : (
          <Link to="/destinations/$type/$name/secret/$" params={{ type, name, _splat: only }}>
            <PathText path={only} />
          </Link>
        )}
      </td>
      <td>
        <Times problem={problem} />
      </td>
      <td>
        <div className={kit.row}>
          {open > 0 ? <Remedy type={type} name={name} code={code} only={only} /> : null}
          {open > 0 && canRetryHelp(code) ? (
            <RetryButton type={type} name={name} filter={{ cause: code }} isDrift={isDrift}>
              {isDrift ? 'Overwrite with our value…' : 'Retry'}
            </RetryButton>
          ) : null}
        </div>
      </td>
    </tr>
  );
}

// Since when it fails, and when it is tried again.
function Times({ problem }: { problem: ProblemAnswer }) {
  const { count, since, failing_since: first, next_attempt_at: nextAt, sync_status: status } = problem;
  return (
    <>
      {since ? <Time at={since} /> : '–'}
      {first ? (
        <p className={`${kit.small} ${kit.muted}`}>
          {count === 1 ? 'The link fails' : 'Links fail'} since <Time at={first} />, before for another cause
        </p>
      ) : null}
      {nextAt ? (
        <p className={`${kit.small} ${kit.muted}`}>
          <NextAttempt at={nextAt} isEarliest={status === 'EXTERNAL_SERVICE_ERROR'} />
        </p>
      ) : null}
    </>
  );
}

function keyOf({
  store_type: type,
  store_name: name,
  cause,
  scope,
  sync_status: status,
}: ProblemAnswer): string {
  return [type, name, status, cause?.code, scope].join(' ');
}
