import type { DestinationSummaryAnswer, ProblemAnswer, SummaryAnswer } from '../contract/summary.ts';
import { presentAsked } from './association.ts';
import { presentPause } from './destination.ts';
import type { RowAnswer } from '../contract/associations.ts';
import type { AssociationRow } from '../../../libs/store/associations/rows.ts';
import { groupBy } from '../../../libs/collections/group-by.ts';
import { WORST_FIRST } from '../../../libs/store/associations/status.ts';
import type {
  StatusGroup,
  SummarisedDestination,
  SummarisedDestinations,
  Summary,
} from '../../../libs/store/counts/summary.ts';

/** The status of everything: counts by status, failures grouped by cause, and the same for the worst destinations. */
export function presentSummary({ disabled, pause, totals, page, problems }: Summary): SummaryAnswer {
  return {
    disabled,
    paused: pause && presentPause(pause),
    total: totals.total,
    by_status: totals.by_status,
    problem_count: totals.problems,
    problems: problems.flatMap(presentProblem).toSorted(byUrgency),
    destination_count: totals.destinations,
    destinations: presentDestinationSummaries(page),
  };
}

// The severest first, and of those the newest.
function byUrgency(one: ProblemAnswer, other: ProblemAnswer): number {
  const rank = ({ sync_status: status }: ProblemAnswer): number => WORST_FIRST.indexOf(status);
  const began = ({ since }: ProblemAnswer): number => (since === null ? 0 : new Date(since).getTime());
  return rank(one) - rank(other) || began(other) - began(one);
}

/** The status of each of some destinations, in their order. */
export function presentDestinationSummaries({
  destinations,
  exceptions,
}: SummarisedDestinations): DestinationSummaryAnswer[] {
  const groups = groupBy(exceptions, ({ destination_id: id }) => id);
  return destinations.map((destination) =>
    presentDestinationSummary(destination, groups.get(destination.id) ?? []),
  );
}

function presentDestinationSummary(
  destination: SummarisedDestination,
  groups: StatusGroup[],
): DestinationSummaryAnswer {
  const counts = addUp(groups.map(({ status, count }) => ({ [status]: count })));
  const exceptional = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const synced = Math.max(0, destination.total - exceptional) + (counts['SYNCED'] ?? 0);
  const {
    type,
    name,
    namespace,
    total,
    oldest_due_at,
    unclaimed_since,
    throttled_until,
    held,
    pause,
    purge_initiated_at,
    purge_error,
  } = destination;
  return {
    store_type: type,
    store_name: name,
    namespace,
    total,
    by_status: { ...counts, ...(synced > 0 ? { SYNCED: synced } : {}) },
    oldest_due_at,
    unclaimed_since,
    throttled_until,
    held,
    paused: pause && presentPause(pause),
    purge_initiated_at,
    purge_error,
    problems: groups.flatMap(presentProblem),
  };
}

// What only waits, because it is held back, does not fail: it has no example.
function presentProblem(group: StatusGroup): ProblemAnswer[] {
  const {
    type,
    name,
    status,
    cause,
    messages,
    scope,
    count,
    decided,
    standing,
    since,
    failing_since,
    next_at,
    example,
  } = group;
  if (example === null) return [];
  return [
    {
      store_type: type,
      store_name: name,
      sync_status: status,
      cause,
      messages: messages && messages.length > 1 ? messages : [],
      scope,
      count,
      decided,
      standing,
      since,
      failing_since,
      next_attempt_at: next_at,
      example: { mount: example.mount, secret_name: example.secret_path },
    },
  ];
}

function addUp(counts: Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [status, count] of counts.flatMap((one) => Object.entries(one)))
    sums[status] = (sums[status] ?? 0) + count;
  return sums;
}

/** An association as one row. */
export function presentRow(row: AssociationRow): RowAnswer {
  return {
    mount: row.mount,
    accessor: row.accessor,
    secret_name: row.secret_path,
    sync_status: row.status,
    cause: row.cause,
    ...(row.last_failure ? { last_failure: row.last_failure } : {}),
    scope: row.scope,
    since: row.cause || row.status === 'THROTTLED' ? row.since : null,
    next_attempt_at: row.next_at,
    updated_at: row.updated_at,
    attempts: row.attempts,
    source_version: row.version,
    synced_version: row.synced_version,
    entries: row.entries,
    entries_in_sync: row.in_sync,
    external_name: row.external_name,
    ...presentAsked(row),
  };
}
