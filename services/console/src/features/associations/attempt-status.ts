import { statusByCause } from '../../kit/status.tsx';

/**
 * The status to show for an attempt. What is deleted because it should not be there is done, not missing, and a later look
 * at it has a line of its own. A write that the store took and has not confirmed is past, whatever the link does now.
 */
export function statusOfAttempt({
  action,
  outcome,
  cause,
}: {
  action: string;
  outcome: string;
  cause: { code: string } | null;
}): string {
  if ((action === 'delete' || action === 'gone') && (outcome === 'UNSYNCED' || outcome === 'UNSYNCING'))
    return 'DELETED';
  if (outcome === 'SYNCING') return 'UNCONFIRMED';
  return statusByCause(outcome, cause);
}
