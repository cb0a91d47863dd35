import { Link } from '@tanstack/react-router';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { Notice } from '../../kit/notice.tsx';

/** Whether the secret of a link has no version that is synced. */
export function hasNothingToSync(records: RecordAnswer[]): boolean {
  return records.every(
    ({ sync_status: status, source_version: source }) => status === 'UNSYNCED' && source === null,
  );
}

/** Why a link has no entry in the store, and how it gets one again. `path`: that of the secret, with its mount. */
export function NothingToSync({ path }: { path: string }) {
  return (
    <Notice tone="info">
      The secret has no version to sync: its latest one is deleted or destroyed, or all are. Save a new
      version or restore a deleted one, and Sealift syncs it by itself.{' '}
      <Link to="/secrets/$" params={{ _splat: path }}>
        Open the secret
      </Link>
    </Notice>
  );
}
