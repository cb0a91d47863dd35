import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';

type Version = SecretMetadataAnswer['versions'][string];

/** What becomes of versions. */
export type VersionAct = 'delete' | 'undelete' | 'destroy';

/** Whether a version was deleted; one that will be is still there. */
export function isDeleted({ deletion_time: time }: Version): boolean {
  return time !== '' && new Date(time).getTime() <= Date.now();
}

/** Whether a version has no keys to show. */
export function isGone(metadata: SecretMetadataAnswer, version: number): boolean {
  const found = metadata.versions[String(version)];
  return found !== undefined && (found.destroyed || isDeleted(found));
}

/** A secret as it would be after a change of one version. */
export function afterChange(
  metadata: SecretMetadataAnswer,
  version: number,
  act: VersionAct,
): SecretMetadataAnswer {
  const found = metadata.versions[String(version)];
  if (!found) return metadata;
  const changed: Version = {
    ...found,
    destroyed: found.destroyed || act === 'destroy',
    deletion_time:
      act === 'delete' ? new Date(0).toISOString() : act === 'undelete' ? '' : found.deletion_time,
  };
  return { ...metadata, versions: { ...metadata.versions, [String(version)]: changed } };
}

/** The versions that have keys, newest first. */
export function liveVersions({ versions }: Pick<SecretMetadataAnswer, 'versions'>): number[] {
  return Object.entries(versions)
    .filter(([, version]) => !version.destroyed && !isDeleted(version))
    .map(([number]) => Number(number))
    .toSorted((left, right) => right - left);
}

/** The version that stands at destinations; null: none. */
export function standingVersion(
  { versions, current_version: current }: SecretMetadataAnswer,
  onLatestDeleted: 'previous' | 'remove',
): number | null {
  const live = liveVersions({ versions }).filter(
    (number) => number === current || onLatestDeleted === 'previous',
  );
  return live.length > 0 ? Math.max(...live) : null;
}
