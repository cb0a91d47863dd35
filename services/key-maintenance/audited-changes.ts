import type { Database } from '../../libs/db/connect.ts';
import { transact } from '../../libs/db/transact.ts';
import type { Change } from '../../libs/db/in-batches.ts';
import {
  finishAuditEvents,
  insertAuditEvents,
  type AuditOutcome,
  type NewAuditEvent,
} from '../../libs/store/audit/events.ts';

/**
 * The changes of one maintenance action, and its single audit entry. `change` runs work in a transaction and counts what
 * it changed. The first change that has an effect writes the entry in the same transaction, so neither exists without the
 * other. An action without any effect leaves no entry, unless its outcome is news. `end` records the outcome.
 */
export type AuditedChanges = {
  change: Change;
  end: (outcome: AuditOutcome, detail: Record<string, unknown>, isNews?: boolean) => Promise<void>;
};

export function auditChanges(
  db: Database,
  action: { name: string; at: Date; requestId?: string | null },
): AuditedChanges {
  const event: NewAuditEvent = {
    at: action.at,
    accessor: null,
    actor: 'key-maintenance',
    namespace: '',
    action: action.name,
    path: '',
    requestId: action.requestId ?? null,
  };
  let entry: number | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const carryOut: AuditedChanges['change'] = async (work) => {
    const done = await transact(db, async (transaction) => {
      const count = await work(transaction);
      if (count === 0 || entry !== undefined) return { count, written: entry };
      return { count, written: (await insertAuditEvents(transaction, [event]))[0] };
    });
    entry = done.written;
    return done.count;
  };
  return {
    // One after the other: two concurrent changes would each be the first and write an entry, and one entry would never
    // get its outcome.
    change: (work) => {
      const change = last.then(() => carryOut(work));
      last = change.catch(() => undefined);
      return change;
    },
    end: async (outcome, detail, isNews = outcome === 'failed') => {
      if (entry === undefined && isNews) [entry] = await insertAuditEvents(db, [event]);
      if (entry !== undefined) await finishAuditEvents(db, [{ id: entry, outcome, status: null, detail }]);
    },
  };
}
