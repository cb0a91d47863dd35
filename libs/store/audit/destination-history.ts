import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { AuditEvent } from './events.ts';

/** An audit entry about a destination. */
export type DestinationEvent = Pick<
  AuditEvent,
  'id' | 'at' | 'actor' | 'action' | 'outcome' | 'status' | 'detail'
>;

// The path itself and everything below it: `0` is the character after the slash.
const HISTORY = `
SELECT e.id, e.at, e.actor, e.action, e.outcome, e.status, e.detail
FROM unnest(?::text[]) AS p(path) JOIN audit_events e ON e.namespace = ?
  AND e.path LIKE 'sys/sync/destinations/%'
  AND (e.path = p.path COLLATE "C" OR (e.path >= (p.path || '/') COLLATE "C" AND e.path < (p.path || '0') COLLATE "C"))
WHERE e.action = ANY (?::text[]) AND e.id < coalesce(?::bigint, 9223372036854775807)
ORDER BY e.id DESC LIMIT ?`;

/**
 * Audit entries about destinations with this name, newest first; `names` are its paths, one for each name of its type;
 * `before` is the id of the last one seen.
 */
export function listDestinationEvents(
  db: Database,
  subject: { namespace: string; names: string[]; actions: string[] },
  page: { before?: number | undefined; limit: number },
): Promise<DestinationEvent[]> {
  return prepared(db, HISTORY, [
    subject.names,
    subject.namespace,
    subject.actions,
    page.before ?? null,
    page.limit,
  ]);
}
