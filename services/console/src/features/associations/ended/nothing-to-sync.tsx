import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { isMissing } from '../../../api/failure.ts';
import { destinationQuery, metadataQuery } from '../../../api/queries.ts';
import { Notice } from '../../../kit/notice.tsx';
import { standingVersion } from '../../secrets/lifecycle/standing.ts';
import type { SecretName } from '../../secrets/split-path.ts';

type Props = { type: string; name: string; secret: SecretName };

/** Why a link has no entry in the store, and how it gets one again. */
export function NothingToSync({ type, name, secret: { mount, path } }: Props) {
  const { data: metadata, error, isPending } = useQuery(metadataQuery(mount, path));
  const { data: destination, isPending: isOpen } = useQuery(destinationQuery(type, name));
  if (isPending || isOpen) return null;
  if (isMissing(error))
    return (
      <Notice tone="info">
        The secret no longer exists. Create it again, and Sealift syncs it by itself, or unlink it.
      </Notice>
    );
  return (
    <Notice tone="info">
      {wayBack(metadata, destination?.options.on_latest_deleted)}{' '}
      <Link to="/secrets/$" params={{ _splat: `${mount}/${path}` }}>
        Open the secret
      </Link>
    </Notice>
  );
}

// What a person may not read is told for both.
function wayBack(
  metadata: SecretMetadataAnswer | undefined,
  onLatestDeleted: 'previous' | 'remove' | undefined,
): string {
  if (!metadata || !onLatestDeleted)
    return 'The secret has no version to sync: its latest one is deleted or destroyed, or all are. Save a new version or restore a deleted one, and Sealift syncs it by itself.';
  const isAny = onLatestDeleted === 'previous';
  const which = isAny ? 'all its versions are' : 'its latest one is';
  if (standingVersion(restored(metadata), onLatestDeleted) === null)
    return `The secret has no version to sync: ${which} destroyed. Save a new version, and Sealift syncs it by itself, or unlink the secret.`;
  return `The secret has no version to sync: ${which} deleted${isAny ? ' or destroyed' : ''}. Save a new version or restore ${isAny ? 'a deleted one' : 'that one'}, and Sealift syncs it by itself.`;
}

// The secret with all its deleted versions restored.
function restored(metadata: SecretMetadataAnswer): SecretMetadataAnswer {
  const versions = Object.entries(metadata.versions).map(([number, version]) => [
    number,
    { ...version, deletion_time: '' },
  ]);
  return { ...metadata, versions: Object.fromEntries(versions) };
}
