import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { counted } from '../../kit/text/counted.ts';

/** The button that unlinks secrets; `changes`: how many entries that deletes, null if nobody knows. */
export function unlinkText(secrets: number, changes: number | null): string {
  const many = secrets === 1 ? 'Unlink' : `Unlink ${secrets.toLocaleString('en')}`;
  if (changes === 0) return many;
  return `${many} and delete ${changes === null ? (secrets === 1 ? 'its entries' : 'their entries') : counted(changes, 'entry', 'entries')}`;
}

/** How many links of a plan are being unlinked; empty if none is. */
export function leavingText({ secrets, next_after: next }: PlanAnswer): string {
  const leaving = secrets.filter(({ unlinking }) => unlinking);
  const { length } = leaving;
  if (length === 0) return '';
  const isAll = length === secrets.length && next === null;
  const one = isAll ? 'This link is' : '1 link is';
  const many = isAll ? 'All of them are' : `${counted(length, 'link')} are`;
  const isDeleting = leaving.some(({ planned }) => planned.some(({ action }) => action === 'delete'));
  const entries = length === 1 ? 'its entries' : 'their entries';
  return `${length === 1 ? one : many} being unlinked: ${isDeleting ? `${entries} are deleted` : 'nothing is deleted in the store'}.`;
}

/** What was asked for by unlinking several secrets at once. */
export function unlinkedManyText(secrets: number, store: string): string {
  return `Asked to unlink ${counted(secrets, 'secret')} from ${store}. A link whose entries can’t be deleted stays in the list, and says why.`;
}

/** What was asked for by unlinking a secret, and which of its entries stay. */
export function unlinkedText(secret: string, store: string, plan: PlanAnswer | undefined): string {
  const planned = plan?.secrets.flatMap((one) => one.planned) ?? [];
  const kept = planned.filter(({ action }) => action === 'retain').length;
  const text = `Asked to unlink ${secret} from ${store}.`;
  if (kept === 0) return text;
  if (kept < planned.length)
    return `${text} In the store, ${kept} of its ${planned.length} entries will stay.`;
  return `${text} ${kept === 1 ? 'Its entry stays' : 'Its entries stay'} in the store.`;
}
