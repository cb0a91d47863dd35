import kit from '../../kit/kit.module.css';
import { counted } from '../../kit/text/counted.ts';
import type { SecretRef } from './plan.ts';
import type { Selection } from './selection.ts';

/** It ticks what is shown, so that nobody selects what they have not seen. */
export function TickAll({
  secrets,
  noun,
  selection,
}: {
  secrets: SecretRef[];
  noun: string;
  selection: Selection;
}) {
  if (secrets.length < 2) return null;
  const isAll = secrets.every((secret) => selection.has(secret));
  return (
    <label className={kit.check}>
      <input type="checkbox" checked={isAll} onChange={() => selection.setAll(secrets, !isAll)} />
      <span>Select all {counted(secrets.length, noun)} shown</span>
    </label>
  );
}
