import { setTimeout as sleep } from 'node:timers/promises';
import type { TriggeredAssociation } from '../../../../libs/store/associations/associations.ts';
import { findHold, hasOutcome } from '../../../../libs/store/associations/outcome.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

const FIRST_OUTCOME_MS = 1000;
const LONGEST_PAUSE_MS = 80;

/**
 * Waits up to 1 s for the first outcome of a request on an association. Does not wait if the caller prefers that or if
 * the destination is held back. Returns the headers that say so.
 */
export async function waitForOutcome(
  { services: { db }, header, warn }: ApiRequest,
  association: TriggeredAssociation,
): Promise<Record<string, string>> {
  if (/(^|[\s,;])respond-async\b/i.test(header('prefer'))) return { 'Preference-Applied': 'respond-async' };
  const hold = await findHold(db, association.id);
  if (hold !== null) {
    warn(hold);
    return {};
  }
  const end = Date.now() + FIRST_OUTCOME_MS;
  for (let pause = 5; Date.now() < end; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await sleep(Math.min(pause, end - Date.now()));
    if (await hasOutcome(db, association)) break;
  }
  return {};
}
