import { spanFaults } from '../../kit/picker/span.ts';
import type { AuditEventAnswer, AuditEventsAnswer } from '../../../../api/contract/administration.ts';
import { call, currentNamespace, isAtHome } from '../../api/client.ts';
import { requireRight } from '../../api/rights.ts';

export const AUDIT_PATH = '/api/v2/admin/audit-events';

/** Filters the audit trail; empty: all entries but those that only look. */
export type EventFilter = {
  /** A part of the name of a person or a token. */
  who?: string | undefined;
  user?: string | undefined;
  actor?: string | undefined;
  /** Accessor of a token. */
  token?: string | undefined;
  secret?: string | undefined;
  /** Type and name, or only the name. */
  destination?: string | undefined;
  /** `read`: reads of values; `change`: what could change something. */
  kind?: string | undefined;
  /** Path of a namespace; `*`: all. Absent: that of the page, but all at home. */
  namespace?: string | undefined;
  address?: string | undefined;
  action?: string | undefined;
  path?: string | undefined;
  outcome?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  /** Also what only looks: previews, tests, comparisons, and what the console asks to find out what to show. */
  all?: boolean | undefined;
};

const STORE = 'POST /sys/sync/destinations/:type/:name';

// They change nothing, here or in a store. Signing in and out is a person's doing.
const LOOKS = [
  'POST /sys/capabilities-self',
  'POST /sys/capabilities-below',
  'POST /sys/policies/preview',
  ...['check', 'plan', 'preview', 'associations/plan', 'associations/verify'].map(
    (look) => `${STORE}/${look}`,
  ),
];

const SIZE = 50;

/** Every namespace; no namespace has this name. */
export const EVERY_NAMESPACE = '*';

// As the header has it.
const ROOT = 'root';

/** The namespace whose entries a filter selects; undefined: all. */
export function namespaceOfFilter({ namespace }: EventFilter): string | undefined {
  if (namespace === EVERY_NAMESPACE) return undefined;
  return namespace ?? (isAtHome() ? undefined : currentNamespace() || ROOT);
}

/** The query of the API that selects the same entries. */
export function queryOf({ all, namespace, ...filter }: EventFilter): URLSearchParams {
  const query = new URLSearchParams();
  const place = namespaceOfFilter({ namespace });
  if (place !== undefined) query.set('filter[namespace]', place === ROOT ? '' : place);
  for (const [name, value] of Object.entries(filter)) {
    if (value) query.set(`filter[${name}]`, value);
  }
  if (!all && !filter.action) query.set('filter[without-action]', LOOKS.join(','));
  return query;
}

/** `keptDays`: how far back the trail goes; null: to its beginning; undefined: nobody was asked. */
type EventPage = { events: AuditEventAnswer[]; next: string | null; keptDays: number | null | undefined };

/** The entries after an id; empty: the newest. A look at the trail has a limit, so it may take several. */
export async function readEvents(filter: EventFilter, after: string): Promise<EventPage> {
  await requireRight(AUDIT_PATH);
  if (spanFaults(filter).title) return { events: [], next: null, keptDays: undefined };
  const events: AuditEventAnswer[] = [];
  let next: string | null = after;
  let keptDays: number | null = null;
  while (next !== null && events.length < SIZE) {
    const query = queryOf(filter);
    query.set('page[size]', String(SIZE - events.length));
    if (next !== '') query.set('page[after]', next);
    const { data } = await call<AuditEventsAnswer>('GET', `${AUDIT_PATH}?${query.toString()}`);
    events.push(...data.data);
    next = data.meta.pagination['next-after'];
    keptDays = data.meta['kept-days'];
  }
  return { events, next, keptDays };
}
