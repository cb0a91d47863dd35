import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import type { Decision } from '../../plans/plan.ts';

/** What was decided and is still to be done; it is withdrawn before the entry is inspected or decided about again. */
export function decidedIn(records: RecordAnswer[]): Decision | 'rename' | null {
  if (records.some(({ waiting }) => waiting?.cause === 'rename')) return 'rename';
  const kinds = records.map(({ decision }) => decision?.kind ?? null);
  return kinds.find((kind) => kind !== null && kind !== 'recreate') ?? null;
}
