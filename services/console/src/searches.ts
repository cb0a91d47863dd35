import type { RowFilter } from './api/queries.ts';
import type { DestinationSearch } from './api/summary.ts';
import type { EventFilter } from './features/audit/events.ts';
import type { ActivityFilter } from './features/activity/filter.ts';
import type { TimeSpan } from './kit/picker/span.ts';
import type { TimelineFilter } from './features/problems/incidents/timeline.tsx';

/** A text of an address; undefined if it is empty or none. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A time of an address, as UTC; undefined if it is none. */
const timeIn = (value: unknown): string | undefined => {
  const time = new Date(textIn(value) ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

/** Which entries of the audit trail an address asks for. */
export const eventFilterIn = (search: Record<string, unknown>): EventFilter => ({
  who: textIn(search['who']),
  user: textIn(search['user']),
  actor: textIn(search['actor']),
  token: textIn(search['token']),
  secret: textIn(search['secret']),
  destination: textIn(search['destination']),
  kind: textIn(search['kind']),
  namespace: textIn(search['namespace']),
  address: textIn(search['address']),
  action: textIn(search['action']),
  path: textIn(search['path']),
  outcome: textIn(search['outcome']),
  ...timeSpanIn(search),
  all: search['all'] === true || undefined,
});

/** A span of time that an address asks for. */
const timeSpanIn = (search: Record<string, unknown>): TimeSpan => ({
  since: timeIn(search['since']),
  until: timeIn(search['until']),
});

/** Which lines of the activity of a secret an address asks for. */
export const storyFilterIn = (search: Record<string, unknown>): ActivityFilter => ({
  ...activityFilterIn(search),
  kind: textIn(search['kind']),
});

/** Which lines of the activity of a destination an address asks for. */
export const activityFilterIn = (search: Record<string, unknown>): ActivityFilter => ({
  who: textIn(search['who']),
  outcome: textIn(search['outcome']),
  ...timeSpanIn(search),
});

/** Which incidents an address asks for. */
export const timelineFilterIn = (search: Record<string, unknown>): TimelineFilter => ({
  ...timeSpanIn(search),
  destination: textIn(search['destination']),
  cause: textIn(search['cause']),
  open: search['open'] === true || undefined,
});

/** Which links or destinations an address asks for. */
export const destinationSearchIn = (search: Record<string, unknown>): DestinationSearch => ({
  q: textIn(search['q']),
  namespaces: search['namespaces'] === 'below' ? 'below' : undefined,
  type: textIn(search['type']),
  status: textIn(search['status']),
  sort: textIn(search['sort']),
});

/** Which policy engine, and which of its versions. */
type VersionFilter = { engine?: string | undefined; q?: string | undefined };

/** Which versions an address asks for. */
export const versionFilterIn = (search: Record<string, unknown>): VersionFilter => ({
  engine: textIn(search['engine']),
  q: textIn(search['q']),
});

/** Which links of a destination an address asks for. */
export const rowFilterIn = (search: Record<string, unknown>): RowFilter => ({
  status: textIn(search['status']),
  cause: textIn(search['cause']),
  q: textIn(search['q']),
});

/** Which names of a folder an address asks for. */
export const nameSearchIn = (search: Record<string, unknown>): { q?: string | undefined } => ({
  q: textIn(search['q']),
});
