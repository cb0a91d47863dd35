import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CirclePause, OctagonAlert } from 'lucide-react';
import type { SummaryAnswer } from '../../../../api/contract/summary.ts';
import { mountsQuery } from '../../api/queries.ts';
import { MOUNTS } from '../../api/right.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useNarrow } from '../../kit/narrow/narrow.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import kit from '../../kit/kit.module.css';
import { describeCount, Status, STATUSES, statusInPause } from '../../kit/status.tsx';
import { counted } from '../../kit/text/counted.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { CONNECTION, ConnectLink } from '../connect/connect-link.tsx';
import { ProblemTable } from '../problems/problem-table.tsx';
import { LatestResult } from '../../kit/results/latest.tsx';
import { PauseButton } from '../pauses/pause-button.tsx';
import { PauseNotice } from '../pauses/pause-notice.tsx';
import { usePauses } from '../pauses/paused-destinations.tsx';
import { SilenceNotice, useSilence } from '../pauses/silence-notice.tsx';
import { StoreTable } from '../destinations/list/store-table.tsx';
import styles from './overview.module.css';

const MOST_PROBLEMS = 5;
const MOST_SHOWN = 20;

/** Is everything in sync? */
export function Overview() {
  const query = useQuery(summaryQuery);
  const isNarrow = useNarrow();
  const connect = <ConnectLink />;
  const actions = (
    <>
      <PauseButton subject={null} isPaused={query.data?.disabled !== false} />
      {connect}
    </>
  );
  return (
    <Page title="Overview" rights={[SUMMARY]} parts={[CONNECTION]} actions={isNarrow ? null : actions}>
      <LatestResult />
      <Loaded query={query}>
        {(summary) =>
          summary.destinations.length === 0 ? (
            <Empty title="No destinations yet" action={connect}>
              Sealift pushes secrets to stores such as AWS Secrets Manager and keeps them in sync. Connect one
              and link secrets to it.
              <FirstMount />
            </Empty>
          ) : (
            <Standing summary={summary} isNarrow={isNarrow} />
          )
        }
      </Loaded>
    </Page>
  );
}

// Where nothing can be linked yet, a destination is the second step.
function FirstMount() {
  const { data: mounts } = useQuery(mountsQuery);
  const mayCreate = useHasRights([MOUNTS]);
  if (mounts?.length !== 0 || !mayCreate) return null;
  return (
    <>
      {' '}
      There are no secrets here yet:{' '}
      <Link to="/secrets/$" params={{ _splat: '' }}>
        create a mount
      </Link>{' '}
      first.
    </>
  );
}

function Standing({ summary, isNarrow }: { summary: SummaryAnswer; isNarrow: boolean }) {
  const { problems, destinations, destination_count: count, paused } = summary;
  return (
    <>
      <PauseNotice subject={null} pause={paused} />
      <section className={`${kit.card} ${kit.stack}`} aria-label="Status of all links">
        <Verdict summary={summary} />
        <ul className={kit.row}>
          {countsOf(summary).map(([status, links]) => (
            <li key={status}>
              <Status status={status} count={links} />
            </li>
          ))}
        </ul>
        {isNarrow ? (
          <div className={kit.row}>
            <PauseButton subject={null} isPaused={summary.disabled} />
            <ConnectLink />
          </div>
        ) : null}
      </section>
      <SilenceNotice destinations={destinations} />
      {problems.length === 0 ? null : (
        <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="problems">
          <div className={`${kit.row} ${kit.spread}`}>
            <h2 id="problems">Problems by cause</h2>
            {problems.length > MOST_PROBLEMS ? <Link to="/problems">View all {problems.length}</Link> : null}
          </div>
          <ProblemTable problems={problems.slice(0, MOST_PROBLEMS)} />
        </section>
      )}
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="destinations">
        <div className={`${kit.row} ${kit.spread}`}>
          <h2 id="destinations">Destinations</h2>
          {count > MOST_SHOWN ? (
            <Link to="/destinations" search={{}}>
              View all {count.toLocaleString('en')}
            </Link>
          ) : null}
        </div>
        <StoreTable destinations={destinations.slice(0, MOST_SHOWN)} />
      </section>
    </>
  );
}

// Says first whether everything is in sync, and accounts for every link.
function Verdict({ summary }: { summary: SummaryAnswer }) {
  const { by_status: counts, disabled, destinations } = summary;
  const silence = useSilence(destinations);
  const pauses = usePauses(destinations);
  const isBad = silence !== '' || ATTENTION.some((status) => (counts[status] ?? 0) > 0);
  const Icon = disabled ? CirclePause : isBad ? OctagonAlert : CircleCheck;
  const tone = disabled ? styles.paused : isBad ? styles.bad : styles.good;
  return (
    <p className={`${styles.verdict} ${tone}`} role="status">
      <Icon size={28} aria-hidden />
      <span>
        {disabled && !summary.paused ? 'Syncing is paused. Changes are queued. ' : ''}
        {sentenceOf(summary)} {pauses}
      </span>
    </p>
  );
}

const ATTENTION = ['CLIENT_SIDE_ERROR', 'INTERNAL_ERROR', 'DRIFTED'];

// How many links have each status. What is pending at a paused destination waits for nothing but the end of its pause.
function countsOf({
  by_status: counts,
  disabled,
  destinations,
}: SummaryAnswer): [status: string, links: number][] {
  const heldLinks = destinations.reduce(
    (sum, { paused, by_status: own }) => sum + (paused ? (own['PENDING'] ?? 0) : 0),
    0,
  );
  return STATUSES.flatMap((status): [string, number][] => {
    const links = counts[status] ?? 0;
    if (status !== 'PENDING' || disabled) return [[statusInPause(status, disabled), links]];
    return [
      [status, links - heldLinks],
      ['PAUSED', heldLinks],
    ];
  }).filter(([, links]) => links > 0);
}

function sentenceOf(summary: SummaryAnswer): string {
  const { total, by_status: counts } = summary;
  const inSync = counts['SYNCED'] ?? 0;
  if (total === 0) return 'No secrets are linked yet.';
  if (inSync === total) return `Everything is in sync (${counted(total, 'link')}).`;
  const others = countsOf(summary).filter(([status]) => status !== 'SYNCED');
  const parts = others.map(([status, links]) => describeCount(status, links));
  const needsNothing = !ATTENTION.some((status) => (counts[status] ?? 0) > 0);
  const first = `${inSync.toLocaleString('en')} of ${counted(total, 'link')} ${total === 1 ? 'is' : 'are'} in sync`;
  return `${first}: ${parts.join(', ')}.${needsNothing ? ' No action needed.' : ''}`;
}
