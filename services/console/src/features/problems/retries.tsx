import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore, type ComponentProps } from 'react';
import type { RowsAnswer } from '../../../../api/contract/associations.ts';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { mayAskAgain } from '../../api/polling.ts';
import { readRows } from '../../api/queries.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/notice.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { counted } from '../../kit/text/counted.ts';
import type { RetryFilter, SecretRef } from '../plans/plan.ts';

/**
 * A retry that the user asked for: of the links that match a filter, or of some that are known one by one. `isOverwriting`: of what
 * someone changed in the store.
 */
type Retry = {
  type: string;
  name: string;
  filter: RetryFilter;
  secrets?: SecretRef[] | undefined;
  isOverwriting?: boolean;
  since: number;
};

// How many of its links have not healed.
type Left = number | 'many';

// Stays when the row of the problem goes, because that says nothing about the result.
let latest: Retry | string | null = null;
const listeners = new Set<() => void>();

function become(next: typeof latest): void {
  latest = next;
  for (const listener of listeners) listener();
}

/** Remembers a retry, whose result is then shown. */
export function noteRetry(retry: Omit<Retry, 'since'>): void {
  become({ ...retry, since: Date.now() });
}

/** Says something else that was done, where the page that it was done on is gone. */
export { become as noteDone };

/** What came of the latest retry. */
export function RetryResult() {
  const retry = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => latest,
  );
  const place = useRef<HTMLDivElement>(null);
  // Who asked for it far down the page would not see it.
  useEffect(() => {
    if (retry) place.current?.scrollIntoView({ block: 'center' });
  }, [retry]);
  if (!retry) return null;
  return (
    <div ref={place}>
      {typeof retry === 'string' ? <Result tone="info">{retry}</Result> : <ResultOf retry={retry} />}
    </div>
  );
}

function ResultOf({ retry }: { retry: Retry }) {
  const nameOf = useDestinationName();
  const left = useLeft(retry);
  const store = nameOf(retry.type, retry.name);
  const { data: own } = useQuery(ownSummaryQuery(retry.type, retry.name));
  const end = own?.held
    ? 'the pause ends'
    : own?.throttled_until
      ? 'the rate limit of the store has ended'
      : null;
  if (end && left !== 0)
    return (
      <Result tone="info">
        {retry.isOverwriting
          ? `Changed entries in ${store} are overwritten`
          : `Links of ${store} are tried again`}{' '}
        once {end}.
      </Result>
    );
  if (left === null)
    return (
      <Notice tone="info">
        {retry.isOverwriting ? `Overwriting changed entries in ${store}…` : `Retrying links of ${store}…`}
      </Notice>
    );
  return (
    <Result tone={left === 0 ? 'ok' : 'person'}>
      {retry.isOverwriting && retry.secrets
        ? overwrittenText(counted(retry.secrets.length, 'link'), left, store)
        : retriedText(retry, left, store)}
    </Result>
  );
}

function overwrittenText(links: string, left: Left, store: string): string {
  const what = `the changed entries of ${links} in ${store}`;
  return left === 0 ? `Overwrote ${what}.` : `Tried to overwrite ${what}: ${leftText(left)}`;
}

// Links that had a cause may fail for another one by now. Where they are not known one by one, all of the destination count.
function retriedText({ filter: { cause }, secrets }: Retry, left: Left, store: string): string {
  if (secrets) {
    const healed = secrets.length === 1 ? 'it no longer fails.' : 'none of them is failing any more.';
    return `Retried ${counted(secrets.length, 'link')} of ${store}: ${left === 0 ? healed : leftText(left)}`;
  }
  const what = cause ? `links with “${titleOfCause(cause)}”` : 'links';
  return `Retried ${what} of ${store}: ${left === 0 ? 'no link there fails any more.' : leftText(left)}`;
}

function leftText(left: Left): string {
  return left === 'many'
    ? 'many links are failing.'
    : `${counted(left, 'link')} ${left === 1 ? 'is' : 'are'} failing.`;
}

function Result({ tone, children }: ComponentProps<typeof Notice>) {
  return (
    <Notice tone={tone}>
      {children}{' '}
      <Button kind="quiet" onClick={() => become(null)}>
        Dismiss
      </Button>
    </Notice>
  );
}

const MOVING = ['PENDING', 'SYNCING', 'UNSYNCING', 'THROTTLED'];
const FAILING = ['CLIENT_SIDE_ERROR', 'INTERNAL_ERROR', 'EXTERNAL_SERVICE_ERROR', 'DRIFTED'];
const MOST_ROWS = 1000;

// How many of the retried links still fail; null while some of them are under way.
function useLeft(retry: Retry): Left | null {
  const { type, name, filter, secrets, since } = retry;
  const isWhole = secrets === undefined && !filter.q;
  const whole = useQuery({ ...ownSummaryQuery(type, name), enabled: isWhole });
  const some = useQuery({ ...unsettledQuery(retry), enabled: !isWhole });
  const { dataUpdatedAt } = isWhole ? whole : some;
  if (dataUpdatedAt <= since) return null;
  return isWhole ? leftOfAll(whole.data ?? null) : leftOfSome(some.data, retry);
}

const unsettledQuery = ({ type, name, filter: { q }, since }: Retry) =>
  queryOptions({
    queryKey: ['unsettled', type, name, q, since],
    queryFn: () =>
      readRows(
        { type, name },
        { status: [...MOVING, ...FAILING].join(), q },
        { after: '', limit: MOST_ROWS, anchors: false },
      ),
    refetchInterval: ({ state }) => mayAskAgain(state) && 2000,
  });

function leftOfSome(answer: RowsAnswer | undefined, { filter, secrets }: Retry): Left | null {
  if (!answer) return null;
  const wanted = secrets && new Set(secrets.map(keyOf));
  const rows = answer.rows.filter((row) => wanted?.has(keyOf(row)) ?? true);
  if (rows.some((row) => MOVING.includes(row.sync_status))) return null;
  if (answer.next_after !== null) return 'many';
  return rows.filter(({ sync_status: status, cause }) => isLike(filter, status, cause?.code)).length;
}

function keyOf({ mount, secret_name: secret }: SecretRef): string {
  return `${mount}/${secret}`;
}

function leftOfAll(own: DestinationSummaryAnswer | null): number | null {
  if (MOVING.some((status) => (own?.by_status[status] ?? 0) > 0)) return null;
  return (own?.problems ?? []).reduce((sum, { count }) => sum + count, 0);
}

// What fails in another way was not retried.
function isLike({ cause, status }: RetryFilter, ownStatus: string, ownCause: string | undefined): boolean {
  return (cause ?? ownCause) === ownCause && (status?.includes(ownStatus) ?? true);
}
