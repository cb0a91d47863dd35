import { queryOptions, useQuery } from '@tanstack/react-query';
import type { RowAnswer, RowsAnswer } from '../../../../api/contract/associations.ts';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { mayAskAgain } from '../../api/polling.ts';
import { readRows } from '../../api/queries.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { nameOfSecret, type RetryFilter, type SecretRef } from '../plans/plan.ts';

/**
 * A retry that the user asked for: of the links that match a filter, or of some that are known one by one. `isOverwriting`: of what
 * someone changed in the store.
 */
export type Retry = {
  type: string;
  name: string;
  filter: RetryFilter;
  secrets?: SecretRef[] | undefined;
  isOverwriting?: boolean;
  /** How many of them were no longer linked. */
  missing: number;
  since: number;
};

/** Links that have not healed, for one cause; `only`: the one link, as `mount/path`. */
export type LeftFor = { status: string; code: string; count: number; only: string | undefined };

/** All of them by cause; `many`: too many to count. */
export type Left = LeftFor[] | 'many';

/** Whether they do not fail, but were left as someone changed them in the store. */
export function isLeftAlone({ status }: LeftFor): boolean {
  return status === 'DRIFTED';
}

const MOVING = ['PENDING', 'SYNCING', 'UNSYNCING', 'THROTTLED'];
const FAILING = ['CLIENT_SIDE_ERROR', 'INTERNAL_ERROR', 'EXTERNAL_SERVICE_ERROR', 'DRIFTED'];
const MOST_ROWS = 1000;

/** Which of the retried links have not healed; null while some of them are under way. */
export function useLeft(retry: Retry): Left | null {
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
  const wanted = secrets && new Set(secrets.map(nameOfSecret));
  const rows = answer.rows.filter((row) => wanted?.has(nameOfSecret(row)) ?? true);
  if (rows.some((row) => MOVING.includes(row.sync_status))) return null;
  if (answer.next_after !== null) return 'many';
  const left = new Map<string, LeftFor>();
  for (const row of rows.filter((one) => isLike(filter, one))) {
    const { sync_status: status, cause } = row;
    const code = cause?.code ?? '';
    const key = `${status} ${code}`;
    const before = left.get(key)?.count ?? 0;
    left.set(key, { status, code, count: before + 1, only: before === 0 ? nameOfSecret(row) : undefined });
  }
  return [...left.values()];
}

function leftOfAll(own: DestinationSummaryAnswer | null): Left | null {
  if (MOVING.some((status) => (own?.by_status[status] ?? 0) > 0)) return null;
  return (own?.problems ?? []).map(({ sync_status: status, cause, count, example }) => ({
    status,
    code: cause?.code ?? '',
    count,
    only: count === 1 ? nameOfSecret(example) : undefined,
  }));
}

// What fails in another way was not retried.
function isLike({ cause, status }: RetryFilter, row: RowAnswer): boolean {
  return (cause ?? row.cause?.code) === row.cause?.code && (status?.includes(row.sync_status) ?? true);
}
