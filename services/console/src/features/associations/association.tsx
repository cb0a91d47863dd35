import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { associationQuery, destinationPath, mountsQuery } from '../../api/queries.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Actions } from './actions.tsx';
import { formerConflict, useAttempts } from './attempts.ts';
import { hasNothingToSync } from './ended/no-version.tsx';
import { Entries } from './entries.tsx';
import { History } from './history.tsx';
import { Standing } from './standing.tsx';
import { PauseNotices } from '../pauses/pause-notices.tsx';
import { SilenceNotice } from '../pauses/silence-notice.tsx';
import { needsCredentials } from '../problems/remedy.tsx';
import { splitPath, type SecretName } from '../secrets/split-path.ts';

// Most links are still there.
const Unlinked = lazy(async () => ({ default: (await import('./ended/unlinked.tsx')).Unlinked }));

const route = getRouteApi('/destinations/$type/$name/secret/$');

/** One secret at one destination: its status, the cause, since when, and what to do. */
export function Association() {
  const { type, name, _splat: path = '' } = route.useParams();
  const mounts = useQuery(mountsQuery);
  const associations = `${destinationPath(type, name)}/associations`;
  return (
    <Page
      title={path}
      rights={[{ path: associations, capability: 'read' }]}
      parts={[
        { path: `${associations}/+`, capability: 'read' },
        { path: `${associations}/+`, capability: 'update' },
      ]}
      about={
        <>
          in{' '}
          <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
            {useDestinationName()(type, name)}
          </Link>
        </>
      }
      actions={
        <Link to="/secrets/$" params={{ _splat: path }} className={kit.button}>
          Open secret
        </Link>
      }
    >
      <Loaded query={mounts}>
        {(all) => {
          const secret = splitPath(all, path);
          return secret ? (
            <Details type={type} name={name} secret={secret} />
          ) : (
            <Empty title="Mount not found, or you don’t have access" />
          );
        }}
      </Loaded>
    </Page>
  );
}

type Linked = { type: string; name: string; secret: SecretName };

function Details(linked: Linked) {
  const query = useQuery(associationQuery(linked.type, linked.name, linked.secret));
  return (
    <Loaded query={query}>
      {(records) =>
        records === null ? (
          <Suspense fallback={null}>
            <Unlinked {...linked} />
          </Suspense>
        ) : (
          <Present {...linked} records={records.map(keepInTheWay)} />
        )
      }
    </Loaded>
  );
}

function Present({ type, name, secret, records }: Linked & { records: RecordAnswer[] }) {
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  const attempts = useAttempts({ type, name, secret }).data?.pages.flat() ?? [];
  const lastConflict = formerConflict(attempts, records);
  return (
    <div className={kit.stack}>
      <PauseNotices type={type} name={name} />
      {own ? <SilenceNotice destinations={[own]} /> : null}
      <Standing {...{ type, name, secret, records, lastConflict }} attempts={attempts} />
      <Actions type={type} name={name} secret={secret} canSyncHelp={canSyncHelp(records)} records={records} />
      <Entries
        {...{ type, name, secret, records }}
        isTaken={isTaken(records) || lastConflict !== undefined}
      />
      <History
        type={type}
        name={name}
        secret={secret}
        said={records.map(({ cause, last_failure: last }) => cause ?? last).find(isSaid)?.message}
      />
    </div>
  );
}

// What is in the way of an entry still is while that is tried again by itself: nobody has decided anything about it.
function keepInTheWay(record: RecordAnswer): RecordAnswer {
  const { cause, last_failure: last, attempts, decision, unlinking } = record;
  const isTriedAgain = cause === null && attempts > 0 && !decision && !unlinking;
  return isTriedAgain && (last?.code === 'conflict' || last?.code === 'blocked')
    ? { ...record, cause: last }
    : record;
}

// The head tells of a rate limit in words of its own.
function isSaid(cause: { code: string } | null | undefined): boolean {
  return cause?.code !== undefined && cause.code !== 'rate_limited';
}

function isConflictOf(records: RecordAnswer[]): boolean {
  return records.some(({ cause }) => cause?.code === 'conflict');
}

// What to do about that stands above, another name for the link among it.
function isTaken(records: RecordAnswer[]): boolean {
  return isConflictOf(records) || records.some(({ cause }) => cause?.code === 'blocked');
}

// While another entry is in the way, or the credentials are refused, it can only fail again.
function canSyncHelp(records: RecordAnswer[]): boolean {
  return (
    !isTaken(records) &&
    !hasNothingToSync(records) &&
    !records.some(({ cause }) => needsCredentials(cause?.code))
  );
}
