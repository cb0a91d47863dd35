import { lazy, Suspense } from 'react';
import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import type { SecretName } from '../../secrets/split-path.ts';

// Most secrets have a version.
const NothingToSync = lazy(async () => ({
  default: (await import('./nothing-to-sync.tsx')).NothingToSync,
}));
const Deleting = lazy(async () => ({ default: (await import('./deleting.tsx')).Deleting }));

/** Whether the secret of a link has no version that is synced. */
export function hasNothingToSync(records: RecordAnswer[]): boolean {
  return records.every(
    ({ sync_status: status, source_version: source }) => status === 'UNSYNCED' && source === null,
  );
}

/** What a secret without a version leads to. `isWaiting`: something keeps its entries from being deleted. */
export function NoVersion({
  records,
  of: { source_version: version, unlinking },
  isHeld,
  isWaiting,
  ...linked
}: {
  type: string;
  name: string;
  secret: SecretName;
  records: RecordAnswer[];
  of: RecordAnswer;
  isHeld: boolean;
  isWaiting: boolean;
}) {
  if (hasNothingToSync(records))
    return (
      <Suspense fallback={null}>
        <NothingToSync {...linked} />
      </Suspense>
    );
  if (version !== null || unlinking || !isWaiting) return null;
  return (
    <Suspense fallback={null}>
      <Deleting {...linked} isHeld={isHeld} />
    </Suspense>
  );
}
