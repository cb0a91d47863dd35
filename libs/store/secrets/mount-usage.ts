import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';

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
