import type { Database } from '../../db/connect.ts';
import { announceDue } from '../due/announce.ts';

/**
 * Since when something is paused; who said why and until when, and when (`changed_at`): the one who paused it, or who last
 * changed the pause. `until`: the pause ends by itself then. Times are RFC 3339.
 */
export type Pause = {
  since: string | null;
  by: string | null;
  reason: string | null;
  until: string | null;
  changed_at: string | null;
};

/** SQL: whether a destination `d` is paused. */
export const PAUSED = '(d.paused_at IS NOT NULL AND coalesce(d.paused_until > now(), true))';

/** SQL, of the row of `sync_config`: whether syncing as a whole is paused. */
export const DISABLED = '(disabled AND coalesce(disabled_until > now(), true))';

/** SQL: the pause of a destination `d` as JSON; null if it is not paused. */
export const PAUSE = `CASE WHEN ${PAUSED} THEN jsonb_build_object(
  'since', d.paused_at, 'by', d.paused_by, 'reason', d.pause_reason, 'until', d.paused_until,
  'changed_at', greatest(d.paused_at, d.pause_changed_at)) END`;

/** Pauses a destination, or changes its pause: workers claim nothing of it any more. */
export async function pauseDestination(
  transaction: Database,
  id: number,
  { by, reason, until }: { by: string; reason: string | null; until: Date | null },
): Promise<void> {
  await transaction('destinations AS d')
    .where({ id })
    .update({
      // A pause that ended by itself is over; a new one begins now.
      paused_at: transaction.raw(`CASE WHEN ${PAUSED} THEN d.paused_at ELSE now() END`),
      pause_changed_at: transaction.raw(`CASE WHEN ${PAUSED} THEN now() END`),
      paused_by: by,
      pause_reason: reason,
      paused_until: until,
    });
}

/** Resumes a destination, and notifies its workers. */
export async function resumeDestination(
  transaction: Database,
  { id, type }: { id: number; type: string },
): Promise<void> {
  const none = {
    paused_at: null,
    pause_changed_at: null,
    paused_by: null,
    pause_reason: null,
    paused_until: null,
  };
  const freed = { freed_at: transaction.fn.now(), freed_from: 'paused' };
  await transaction('destinations AS d')
    .where({ id })
    .update({ ...none, ...freed });
  announceDue(transaction, [{ destination_id: id, type }]);
}
