import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { NOT_DELETED } from '../not-deleted.ts';

/** A secret that has associations, and their number. */
export type LinkedSecret = { mount: string; secret_path: string; associations: number };

/** The secret that a listing begins after. */
export type SecretBefore = Pick<LinkedSecret, 'mount' | 'secret_path'>;

const PAGE = 1000;

const MOUNTS = `
SELECT m.id, m.path FROM mounts m
CROSS JOIN LATERAL (SELECT FROM association_keys k WHERE k.mount_id = m.id LIMIT 1) linked
WHERE m.namespace_id = ? AND m.path >= ? ORDER BY m.path`;

const SECRETS = `
SELECT k.secret_path, count(*)::int AS associations
FROM association_keys k JOIN destinations d ON d.id = k.destination_id AND ${NOT_DELETED}
WHERE k.mount_id = ? AND k.secret_path > ?
GROUP BY k.secret_path ORDER BY k.secret_path LIMIT ?`;

/** The linked secrets of a namespace, ordered by mount and path, in pages. At most `limit`; absent: all. */
export async function* linkedSecretPages(
  db: Database,
  namespaceId: string,
  {
    after,
    limit = Number.POSITIVE_INFINITY,
  }: { after?: SecretBefore | undefined; limit?: number | undefined } = {},
): AsyncGenerator<LinkedSecret[], void> {
  let left = limit;
  const mounts = await prepared<{ id: number; path: string }>(db, MOUNTS, [namespaceId, after?.mount ?? '']);
  for (const { id, path: mount } of mounts) {
    let last = mount === after?.mount ? after.secret_path : '';
    while (left > 0) {
      const most = Math.min(PAGE, left);
      const rows = await prepared<Omit<LinkedSecret, 'mount'>>(db, SECRETS, [id, last, most]);
      if (rows.length > 0) yield rows.map((row) => ({ mount, ...row }));
      left -= rows.length;
      last = rows.at(-1)?.secret_path ?? last;
      if (rows.length < most) break;
    }
  }
}
