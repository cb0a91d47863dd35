import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { KEPT_VERSIONS } from './kept-versions.ts';
import type { Mount } from './mounts.ts';

// Limits the count to about 50 ms.
const MOST_COUNTED = 100_000;

/** `is_complete`: false if there are more than were counted. Destinations are ordered by type and name. */
export type MountUsage = {
  secrets: number;
  links: number;
  is_complete: boolean;
  destinations: { type: string; name: string; links: number }[];
};

/** Counts the secrets of a mount, and their links by destination. */
export async function countUses(db: Database, mountId: number): Promise<MountUsage> {
  const { rows: counted } = await db.raw<{ rows: { secrets: number }[] }>(
    `SELECT count(*)::int AS secrets FROM (SELECT FROM secrets WHERE mount_id = ? LIMIT ${MOST_COUNTED + 1}) s`,
    [mountId],
  );
  const { rows: destinations } = await db.raw<{ rows: MountUsage['destinations'] }>(
    `SELECT d.type, d.name, k.links FROM (
       SELECT destination_id, count(*)::int AS links FROM (
         SELECT destination_id FROM association_keys WHERE mount_id = ? LIMIT ${MOST_COUNTED + 1}
       ) k GROUP BY destination_id
     ) k JOIN destinations d ON d.id = k.destination_id AND ${NOT_DELETED} ORDER BY d.type, d.name`,
    [mountId],
  );
  const secrets = counted[0]?.secrets ?? 0;
  const links = destinations.reduce((sum, one) => sum + one.links, 0);
  return {
    secrets: Math.min(secrets, MOST_COUNTED),
    links: Math.min(links, MOST_COUNTED),
    is_complete: secrets <= MOST_COUNTED && links <= MOST_COUNTED,
    destinations,
  };
}

/**
 * Counts what the next change of each secret would delete for good if the mount had the limit `most` (0: none), beyond
 * what it deletes anyway. Looks at as many secrets as `countUses` counts.
 */
export async function countDropped(
  db: Database,
  mount: Pick<Mount, 'id' | 'version' | 'max_versions'>,
  most: number,
): Promise<{ secrets: number; versions: number }> {
  const none = { secrets: 0, versions: 0 };
  if (mount.version === 1) return none;
  const { rows } = await db.raw<{ rows: { secrets: number; versions: number }[] }>(
    `SELECT count(*)::int AS secrets, coalesce(sum(lost), 0)::int AS versions FROM (
       SELECT s.current_version + 2 - ${KEPT_VERSIONS}
              - greatest(s.oldest_version, s.current_version + 2 - ${KEPT_VERSIONS}, 1) AS lost
       FROM (SELECT current_version, oldest_version, max_versions FROM secrets WHERE mount_id = ? LIMIT ${MOST_COUNTED}) s
     ) s WHERE lost > 0`,
    [most, mount.max_versions, mount.id],
  );
  return rows[0] ?? none;
}
