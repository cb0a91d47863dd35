import { revisionOf, type Stamp } from '../../../libs/validation/preconditions.ts';
import type { ChangedAnswer } from '../contract/destinations.ts';

/** The revision of a thing, and who made it and when. */
export function presentChanged(stamp: Stamp): ChangedAnswer {
  return {
    revision: revisionOf(stamp),
    changed_at: stamp.changed_at?.toISOString() ?? null,
    changed_by: stamp.changed_by,
  };
}

/** The same, as `meta` of a JSON API resource. */
export function presentChangedMeta(stamp: Stamp) {
  const { revision, changed_at: changedAt, changed_by: changedBy } = presentChanged(stamp);
  return { revision, 'changed-at': changedAt, 'changed-by': changedBy };
}
