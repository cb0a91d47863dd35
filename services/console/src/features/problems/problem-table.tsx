import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ProblemAnswer } from '../../../../api/contract/answers.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { Action } from '../../kit/rights/action.tsx';
import kit from '../../kit/kit.module.css';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';

// Causes that new credentials can fix.
const CREDENTIALS = new Set(['credentials_refused', 'credentials_missing', 'permission_missing']);

/** One line for each cause at each store: what fails, since when, and the two possible actions. */
export function ProblemTable({ problems }: { problems: ProblemAnswer[] }) {
  const [failure, setFailure] = useState<unknown>(null);
  return (
    <>
      {failure ? <FailureNotice failure={failure} /> : null}
      <Table columns={['Where', 'Cause', 'Since', ACTIONS]}>
        {problems.map((problem) => (
          <ProblemRow key={keyOf(problem)} problem={problem} fail={setFailure} />
        ))}
      </Table>
    </>
  );
}

function ProblemRow({ problem, fail }: { problem: ProblemAnswer; fail: (error: unknown) => void }) {
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
          <RetryButton type={type} name={name} filter={{ cause: code }} fail={fail}>
            Retry
          </RetryButton>
        </div>
      </td>
    </tr>
  );
}

/** Retries all matching associations now. */
export function RetryButton({
  type,
  name,
  filter,
  fail,
  children,
}: {
  type: string;
  name: string;
  filter: { cause?: string | undefined; status?: string[] | undefined; q?: string | undefined };
  fail: (error: unknown) => void;
  children: string;
}) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const path = `${destinationPath(type, name)}/associations/retry`;
  const call: Call = { method: 'POST', path, body: filter };
  const retry = async (): Promise<void> => {
    setBusy(true);
    fail(null);
    try {
      await carryOut(call);
      await queries.invalidateQueries();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Action call={call} busy={busy} aria-label={`${children} ${type}/${name}`} onClick={() => void retry()}>
      {children}
    </Action>
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
