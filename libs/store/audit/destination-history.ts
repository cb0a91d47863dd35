import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { AuditEvent } from './events.ts';

/** An entry of the audit trail that is about a destination. */
export type DestinationEvent = Pick<
  AuditEvent,
  'id' | 'at' | 'actor' | 'action' | 'outcome' | 'status' | 'detail'
>;

// Its own path, and all below it: behind the slash comes no character before `0`.
const HISTORY = `
SELECT e.id, e.at, e.actor, e.action, e.outcome, e.status, e.detail
FROM unnest(?::text[]) AS p(path) JOIN audit_events e ON e.namespace = ?
  AND e.path LIKE 'sys/sync/destinations/%'
  AND (e.path = p.path COLLATE "C" OR (e.path >= (p.path || '/') COLLATE "C" AND e.path < (p.path || '0') COLLATE "C"))
WHERE e.action = ANY (?::text[]) AND e.id < coalesce(?::bigint, 9223372036854775807)
ORDER BY e.id DESC LIMIT ?`;

/**
 * Changes of what had the name of a destination, newest first; `names` are its paths, by each name of its type, `before` the id
 * of the last one seen.
 */
export function listDestinationEvents(
  db: Database,
  of: { namespace: string; names: string[]; actions: string[] },
  page: { before?: number | undefined; limit: number },
): Promise<DestinationEvent[]> {
  return prepared(db, HISTORY, [of.names, of.namespace, of.actions, page.before ?? null, page.limit]);
}
