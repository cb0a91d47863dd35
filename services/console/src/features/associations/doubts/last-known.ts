import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import { TAKEN_OUTCOMES } from '../../../../../../libs/telling/attempts.ts';
import type { LinkAttempt } from '../attempts.ts';
import { WRITES } from '../folding.ts';

// What tells which version an entry has.
const SETTLING = new Set([...WRITES, 'unchanged', 'adopt', 'delete']);

/** The version that the store took last, which counts only once no older call can take effect any more; null: none is known. */
export function lastTaken(
  attempts: LinkAttempt[],
  { sub_key: key, external_name: name }: RecordAnswer,
): number | null {
  const own = attempts.filter((one) => one.sub_key === key && one.external_name === name);
  const last = own.find(({ action, outcome }) => SETTLING.has(action) && TAKEN_OUTCOMES.includes(outcome));
  return last && last.action !== 'delete' ? last.version : null;
}

/** Whether the store may have carried out a deletion that got no clear answer, and nothing was written since. */
export function mayBeGone(attempts: LinkAttempt[], record: RecordAnswer): boolean {
  const { sub_key: key, external_name: name } = record;
  const own = attempts.filter((one) => one.sub_key === key && one.external_name === name);
  const settled = own.findIndex(
    ({ action, outcome }) => SETTLING.has(action) && TAKEN_OUTCOMES.includes(outcome),
  );
  const since = own.slice(0, settled === -1 ? own.length : settled);
  return record.in_doubt === true && since.some(({ action }) => action === 'delete');
}

/**
 * The version that Sealift wrote to an entry that is somebody else’s now, and when it first saw that. Undefined if it never was
 * Sealift’s, as far as the loaded attempts tell.
 */
export function formerlyOurs(
  attempts: LinkAttempt[],
  name: string,
): { version: number; found: string } | undefined {
  const own = attempts.filter((one) => one.external_name === name);
  const index = own.findIndex(
    ({ action, outcome }) => (SETTLING.has(action) || action === 'gone') && TAKEN_OUTCOMES.includes(outcome),
  );
  const last = own[index];
  if (!last || last.version === null || last.action === 'delete' || last.action === 'gone') return undefined;
  const found = own
    .slice(0, index)
    .findLast(({ outcome, cause }) => outcome === 'DRIFTED' || cause?.code === 'conflict');
  return found && { version: last.version, found: found.at };
}
