import type { BulkAnswer, BulkOutcome } from '../../../../api/contract/plans.ts';
import type { SecretRef } from './plan.ts';

const DONE = new Set(['linked', 'refreshed', 'removing', 'absent']);

/** Whether what was asked about a secret is done. */
export function isDone({ outcome }: BulkOutcome): boolean {
  return DONE.has(outcome);
}

/** Whether everything that was asked for is done. */
export function isAllDone({ secrets }: BulkAnswer): boolean {
  return secrets.every(isDone);
}

/** The secrets of which everything is done. */
export function doneOf({ secrets }: BulkAnswer): SecretRef[] {
  return secrets.filter(isDone).map(({ mount, secret_name }) => ({ mount, secret_name }));
}
