import { counted } from '../../kit/text/counted.ts';

/** The button that unlinks secrets; `changes`: how many entries that deletes, null if nobody knows. */
export function unlinkText(secrets: number, changes: number | null): string {
  const many = secrets === 1 ? 'Unlink' : `Unlink ${secrets.toLocaleString('en')}`;
  if (changes === 0) return many;
  return `${many} and delete ${changes === null ? (secrets === 1 ? 'its entries' : 'their entries') : counted(changes, 'entry', 'entries')}`;
}
