import { lazy, Suspense } from 'react';
import type { RecordAnswer } from '../../../../../api/contract/associations.ts';
import { hasNothingToSync, NothingToSync } from '../../links/nothing-to-sync.tsx';
import type { SecretName } from '../../secrets/split-path.ts';

// Most secrets have a version.
const Deleting = lazy(async () => ({ default: (await import('./deleting.tsx')).Deleting }));

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
    return <NothingToSync path={`${linked.secret.mount}/${linked.secret.path}`} />;
  if (version !== null || unlinking || !isWaiting) return null;
  return (
    <Suspense fallback={null}>
      <Deleting {...linked} isHeld={isHeld} />
    </Suspense>
  );
}
