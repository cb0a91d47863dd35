import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { AuditEvent } from './events.ts';
import { OUTCOMES_OF_ENTRY } from './outcomes.ts';

/** An audit entry about a destination. */
export type DestinationEvent = Pick<
  AuditEvent,
  'id' | 'at' | 'actor' | 'address' | 'action' | 'outcome' | 'status' | 'detail'
>;

// The path itself and everything below it: `0` is the character after the slash. What holds for the whole installation was done
// in the root namespace, and others are not told from where.
const HISTORY = `
SELECT * FROM (
  SELECT e.id, e.at, e.actor, e.username, e.address, e.action, e.outcome, e.status, e.detail
  FROM unnest(?::text[]) AS p(path) JOIN audit_events e ON e.namespace = ?
    AND e.path LIKE 'sys/sync/destinations/%'
    AND (e.path = p.path COLLATE "C" OR (e.path >= (p.path || '/') COLLATE "C" AND e.path < (p.path || '0') COLLATE "C"))
  WHERE e.action = ANY (?::text[])
  UNION ALL
  SELECT e.id, e.at, e.actor, e.username, CASE WHEN ?::text = '' THEN e.address END, e.action, e.outcome, e.status, e.detail
  FROM audit_events e WHERE e.namespace = '' AND e.action = ANY (?::text[])
) e
WHERE e.id < coalesce(?::bigint, 9223372036854775807)
  AND e.at >= ?::timestamptz AND e.at < ?::timestamptz
  AND strpos(lower(concat_ws(E'\\n', e.username, e.actor)), lower(coalesce(?::text, ''))) > 0
  AND coalesce(?::text, outcome) IN ${OUTCOMES_OF_ENTRY}
ORDER BY e.id DESC LIMIT ?`;

/**
 * Audit entries about destinations with this name, newest first; `names` are its paths, one for each name of its type;
 * `ofAll` are actions that concern every destination; `before` is the id of the last one seen, `since` and `until` are
 * RFC 3339, and `who` is a part of the name of a person or a token, in any case.
 */
export function listDestinationEvents(
  db: Database,
  subject: { namespace: string; names: string[]; actions: string[]; ofAll: string[] },
  {
    before,
    since = '-infinity',
    until = 'infinity',
    who,
    outcome,
    limit,
  }: {
    before?: number | undefined;
    since?: string | undefined;
    until?: string | undefined;
    who?: string | undefined;
    outcome?: string | undefined;
    limit: number;
  },
): Promise<DestinationEvent[]> {
  return prepared(db, HISTORY, [
    subject.names,
    subject.namespace,
    subject.actions,
    subject.namespace,
    subject.ofAll,
    before ?? null,
    since,
    until,
    who ?? null,
    outcome ?? null,
    limit,
  ]);
}
