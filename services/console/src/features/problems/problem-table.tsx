import { Link } from '@tanstack/react-router';
import type { ProblemAnswer } from '../../../../api/contract/summary.ts';
import kit from '../../kit/kit.module.css';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { RetryButton } from './retry-button.tsx';

// Causes that new credentials can fix.
const CREDENTIALS = new Set(['credentials_refused', 'credentials_missing', 'permission_missing']);

/** One line for each cause at each store: what fails, since when, and the two possible actions. */
export function ProblemTable({ problems }: { problems: ProblemAnswer[] }) {
  return (
    <Table columns={['Where', 'Cause', 'Since', ACTIONS]}>
      {problems.map((problem) => (
        <ProblemRow key={keyOf(problem)} problem={problem} />
      ))}
    </Table>
  );
}

function ProblemRow({ problem }: { problem: ProblemAnswer }) {
  const { store_type: type, store_name: name, cause, count, since, next_attempt_at: nextAt } = problem;
  const code = cause?.code ?? '';
  return (
    <tr>
      <td className={kit.whole}>
        <div className={`${kit.stack} ${kit.tight}`}>
          <div>
            <Status status={problem.sync_status} count={count} />
          </div>
          <Link to="/destinations/$type/$name" params={{ type, name }} search={{ cause: code }}>
            {type}/{name}
          </Link>
        </div>
      </td>
      <td>
        <code>{code}</code>
        <p className={kit.muted}>{cause?.message}</p>
      </td>
      <td className={kit.whole}>
        <Time at={since} />
        {nextAt ? (
          <p className={`${kit.small} ${kit.muted}`}>
            next try <Time at={nextAt} />
          </p>
        ) : null}
      </td>
      <td>
        <div className={kit.row}>
          {CREDENTIALS.has(code) ? (
            <Link to="/destinations/$type/$name/settings" params={{ type, name }} className={kit.button}>
              Set credentials
            </Link>
          ) : null}
          <RetryButton type={type} name={name} filter={{ cause: code }}>
            Retry
          </RetryButton>
        </div>
      </td>
    </tr>
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
