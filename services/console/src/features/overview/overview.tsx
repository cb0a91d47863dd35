import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CirclePause, UserRound } from 'lucide-react';
import type { SummaryAnswer } from '../../../../api/contract/summary.ts';
import { summaryQuery } from '../../api/summary.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import kit from '../../kit/kit.module.css';
import { Status, STATUSES } from '../../kit/status.tsx';
import { ProblemTable } from '../problems/problem-table.tsx';
import { StoreTable } from '../destinations/store-table.tsx';
import styles from './overview.module.css';

const MOST_PROBLEMS = 5;

/** Is everything in sync? */
export function Overview() {
  const query = useQuery(summaryQuery);
  const connect = (
    <Link to="/connect" className={`${kit.button} ${kit.primary}`}>
      Connect a store
    </Link>
  );
  return (
    <Page title="Overview" actions={connect}>
      <Loaded query={query}>
        {(summary) =>
          summary.destinations.length === 0 ? (
            <Empty title="No store is connected yet" action={connect}>
              Sealift pushes secrets to stores such as AWS Secrets Manager and keeps them in sync. Connect one
              and link secrets to it.
            </Empty>
          ) : (
            <Standing summary={summary} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Standing({ summary }: { summary: SummaryAnswer }) {
  const { problems, destinations, by_status: counts } = summary;
  const shown = STATUSES.filter((status) => (counts[status] ?? 0) > 0);
  return (
    <>
      <section className={`${kit.card} ${kit.stack}`} aria-label="Status of all links">
        <Verdict summary={summary} />
        <ul className={kit.row}>
          {shown.map((status) => (
            <li key={status}>
              <Status status={status} count={counts[status] ?? 0} />
            </li>
          ))}
        </ul>
      </section>
      {problems.length === 0 ? null : (
        <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="problems">
          <div className={`${kit.row} ${kit.spread}`}>
            <h2 id="problems">What fails, by cause</h2>
            {problems.length > MOST_PROBLEMS ? <Link to="/problems">All {problems.length}</Link> : null}
          </div>
          <ProblemTable problems={problems.slice(0, MOST_PROBLEMS)} />
        </section>
      )}
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="stores">
        <h2 id="stores">Stores</h2>
        <StoreTable destinations={destinations} />
      </section>
    </>
  );
}

// Says first, in one sentence, whether everything is in sync.
function Verdict({ summary }: { summary: SummaryAnswer }) {
  const { total, by_status: counts, disabled } = summary;
  const inSync = counts['SYNCED'] ?? 0;
  const person = ['CLIENT_SIDE_ERROR', 'INTERNAL_ERROR', 'DRIFTED']
    .map((status) => counts[status] ?? 0)
    .reduce((sum, count) => sum + count);
  const Icon = disabled ? CirclePause : person > 0 ? UserRound : CircleCheck;
  const tone = disabled ? styles.paused : person > 0 ? styles.bad : styles.good;
  return (
    <p className={`${styles.verdict} ${tone}`} role="status">
      <Icon size={28} aria-hidden />
      <span>{sentence({ total, inSync, person, disabled })}</span>
    </p>
  );
}

function sentence(counts: { total: number; inSync: number; person: number; disabled: boolean }): string {
  const { total, inSync, person, disabled } = counts;
  if (disabled) return 'Syncing is disabled: changes wait.';
  if (total === 0) return 'No secret is linked yet.';
  const links = total === 1 ? 'link is' : 'links are';
  if (inSync === total)
    return total === 1 ? 'The one link is in sync.' : `All ${number(total)} links are in sync.`;
  const first = `${number(inSync)} of ${number(total)} ${links} in sync.`;
  if (person === 0) return `${first} Nobody needs to act.`;
  return `${first} ${number(person)} ${person === 1 ? 'needs' : 'need'} a person.`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
