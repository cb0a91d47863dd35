import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { keptVersions } from './dropped.tsx';
import { mountLossQuery } from '../queries.ts';

type MountLoss = {
  isPending: boolean;
  failure: unknown;
  /** Undefined: nobody knows. */
  found: { secrets: number; versions: number; isComplete: boolean } | undefined;
  /** The number of versions that is kept then. */
  kept: number;
  /** Something is deleted, or nobody knows. */
  isLosing: boolean;
};

/** What a mount loses by a smaller maximum of versions. Null: it is not smaller, or no number, which the API refuses. */
export function useMountLoss(mount: string, before: number, typed: string): MountLoss | null {
  const most = Number(typed);
  const kept = keptVersions(most, 0);
  const isSmaller = /^\d{0,9}$/.test(typed.trim()) && kept < keptVersions(before, 0);
  const { data, error } = useQuery({ ...mountLossQuery(mount, most), enabled: isSmaller });
  if (!isSmaller) return null;
  const found = data?.dropped && { ...data.dropped, isComplete: data.is_complete };
  const isLosing = error !== null || (found !== undefined && (found.versions > 0 || !found.isComplete));
  return { isPending: !data && !error, failure: error, found, kept, isLosing };
}

/** Says it. */
export function LossNotice({ loss: { isPending, failure, found, kept } }: { loss: MountLoss }) {
  if (isPending) return <p className={kit.muted}>Counting the versions beyond this number…</p>;
  if (!found)
    return (
      <>
        <Notice tone="limited">
          The next change of each secret deletes its oldest versions beyond {kept} for good, unless the
          secret’s own limit is larger. They could not be counted.
        </Notice>
        <FailureNotice failure={failure} />
      </>
    );
  if (found.versions === 0 && found.isComplete)
    return <p className={kit.muted}>No version will be deleted because of this number.</p>;
  const count = `${counted(found.versions, 'version')} of ${counted(found.secrets, 'secret')}`;
  return (
    <Notice tone="limited">
      {found.isComplete ? '' : 'At least '}
      {count} will be deleted for good: the next change of each secret deletes its oldest ones.
    </Notice>
  );
}
