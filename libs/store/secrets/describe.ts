import type { Database } from '../../db/connect.ts';
import { CLASSIFIED } from '../associations/status.ts';

/** A secret as lists show it. `links`: by status, `paused_links`: how many of them a pause holds back; null if nobody asked. */
export type DescribedSecret = {
  path: string;
  current_version: number;
  updated_at: Date;
  updated_by: string | null;
  state: 'live' | 'deleted' | 'destroyed' | 'empty';
  links: Record<string, number> | null;
  paused_links: number | null;
};

type LinkCounts = { byStatus: Record<string, number>; paused: number };

const NO_LINKS: LinkCounts = { byStatus: {}, paused: 0 };

/** Describes secrets of a mount by their paths, in two statements that find rows by key, however much the mount holds. */
export async function describeSecrets(
  db: Database,
  mountId: number,
  paths: string[],
  options: { links: boolean },
): Promise<DescribedSecret[]> {
  if (paths.length === 0) return [];
  const { rows } = await db.raw<{ rows: Omit<DescribedSecret, 'links' | 'paused_links'>[] }>(
    `SELECT s.path, s.current_version, s.updated_at, s.last_updated_by AS updated_by,
       CASE WHEN v.version IS NULL THEN 'empty' WHEN v.destroyed THEN 'destroyed'
         WHEN v.deletion_time <= clock_timestamp() THEN 'deleted' ELSE 'live' END AS state
     FROM secrets s LEFT JOIN secret_versions v ON v.secret_id = s.id AND v.version = s.current_version
     WHERE s.mount_id = ? AND s.path = ANY (?)`,
    [mountId, paths],
  );
  const counts = options.links ? await countLinks(db, mountId, paths) : null;
  return rows.map((row) => {
    const own = counts && (counts.get(row.path) ?? NO_LINKS);
    return { ...row, links: own && own.byStatus, paused_links: own && own.paused };
  });
}

async function countLinks(db: Database, mountId: number, paths: string[]): Promise<Map<string, LinkCounts>> {
  const { rows } = await db.raw<{ rows: { path: string; status: string; count: number; paused: number }[] }>(
    // OFFSET 0: Postgres looks up each path. For many paths it would otherwise read the whole mount in its order.
    `SELECT p.path, c.status, count(*)::int AS count,
       count(*) FILTER (WHERE c.status = 'PENDING' AND c.cause ->> 'code' = 'paused')::int AS paused
     FROM unnest(?::text[]) p (path)
     CROSS JOIN LATERAL (
       SELECT association_id FROM association_keys WHERE mount_id = ? AND secret_path = p.path OFFSET 0
     ) k JOIN associations a ON a.id = k.association_id ${CLASSIFIED}
     GROUP BY p.path, c.status`,
    [paths, mountId],
  );
  const found = new Map<string, LinkCounts>();
  for (const { path, status, count, paused } of rows) {
    const { byStatus, paused: others } = found.get(path) ?? NO_LINKS;
    found.set(path, { byStatus: { ...byStatus, [status]: count }, paused: others + paused });
  }
  return found;
}
