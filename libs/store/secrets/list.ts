import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Mount } from './mounts.ts';

export type ListOptions = {
  mount: Mount;
  /** Without slashes at its ends; empty for the root of the mount. */
  folder: string;
  /** The listing begins after this key, which need not exist. */
  after?: string;
  /** Most keys to return; absent: all. */
  limit?: number;
  /** Leaves out secrets whose current version is not live; folders stay. */
  excludeDeleted?: boolean;
};

type Range = { prefix: string; from: string; end: string; limit: number };
type Child = { name: string; isFolder: boolean; live: boolean };

/** The most children that one stepping statement finds, and the most rows that one scanning statement reads. */
const STEPS = 1000;
const ROWS = 10_000;
const FEWEST = 100;

// The character after the slash: `a0` sorts after everything in the folder `a/`.
const BEHIND_SLASH = '0';
// Paths have no control characters, so no path sorts between `a` and `a` followed by this.
const LEAST = '\u0001';
const GREATEST = '\u{10ffff}';

/** The direct children of a folder in byte order; folders end with a slash. */
export async function listChildren(db: Database, options: ListOptions): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of childPages(db, options)) keys.push(...page);
  return keys;
}

/**
 * The same in pages. Skips the contents of sub-folders by index look-ups, so a folder costs one look-up, however much is
 * in it. Where it meets only secrets, it reads them in one scan, which is faster.
 */
export async function* childPages(db: Database, options: ListOptions): AsyncGenerator<string[], void> {
  const prefix = options.folder === '' ? '' : `${options.folder}/`;
  const end = prefix === '' ? GREATEST : `${options.folder}${BEHIND_SLASH}`;
  const most = options.limit ?? Number.POSITIVE_INFINITY;
  let count = 0;
  let from = options.after ? behind(prefix, options.after) : prefix;
  let isDense = false;
  while (count < most) {
    // Excluded secrets must be read too: otherwise a page of one key could take one statement for each of them.
    const wanted = options.excludeDeleted ? Math.max(most - count, FEWEST) : most - count;
    const limit = Math.min(isDense ? ROWS : STEPS, wanted);
    const { children, read } = await (isDense ? readRow : stepOver)(db, options, {
      prefix,
      from,
      end,
      limit,
    });
    const last = children.at(-1);
    if (last) from = behind(prefix, keyOf(last));
    const shown = children.filter((child) => child.isFolder || child.live || !options.excludeDeleted);
    if (shown.length > 0) yield shown.slice(0, most - count).map(keyOf);
    count += shown.length;
    if (read < limit) break;
    isDense = isDense
      ? children.length * 2 > read
      : children.filter((child) => child.isFolder).length * 10 < read;
  }
}

async function stepOver(db: Database, options: ListOptions, range: Range) {
  const rest = 'substr(s.path, length(:prefix) + 1)';
  const next = (from: string): string => `
    SELECT s.path, strpos(${rest}, '/') > 0 AS is_folder, split_part(${rest}, '/', 1) AS name, ${liveness(options)} AS live
    FROM secrets s WHERE s.mount_id = :mount AND s.path >= ${from} AND s.path < :end ORDER BY s.path LIMIT 1`;
  const rows = await prepared<Child>(
    db,
    `WITH RECURSIVE children AS (
       (${next(':from')})
       UNION ALL
       SELECT following.* FROM children c CROSS JOIN LATERAL (
         ${next(`CASE WHEN c.is_folder THEN :prefix || c.name || '${BEHIND_SLASH}' ELSE c.path || chr(1) END`)}
       ) following
     )
     SELECT name, is_folder AS "isFolder", live FROM children LIMIT :limit`,
    { ...range, mount: options.mount.id },
  );
  return { children: rows, read: rows.length };
}

async function readRow(db: Database, options: ListOptions, range: Range) {
  const rows = await prepared<{ path: string; live: boolean }>(
    db,
    `SELECT s.path, ${liveness(options)} AS live FROM secrets s
     WHERE s.mount_id = :mount AND s.path >= :from AND s.path < :end ORDER BY s.path LIMIT :limit`,
    { from: range.from, end: range.end, limit: range.limit, mount: options.mount.id },
  );
  const children: Child[] = [];
  for (const { path, live } of rows) {
    const rest = path.slice(range.prefix.length);
    const slash = rest.indexOf('/');
    const child = { name: slash < 0 ? rest : rest.slice(0, slash), isFolder: slash >= 0, live };
    const last = children.at(-1);
    if (!last || keyOf(last) !== keyOf(child)) children.push(child);
  }
  return { children, read: rows.length };
}

function liveness(options: ListOptions): string {
  if (!options.excludeDeleted) return 'true';
  return `coalesce((SELECT NOT v.destroyed AND (v.deletion_time IS NULL OR v.deletion_time > clock_timestamp())
    FROM secret_versions v WHERE v.secret_id = s.id AND v.version = s.current_version), false)`;
}

function keyOf(child: Child): string {
  return child.isFolder ? `${child.name}/` : child.name;
}

function behind(prefix: string, key: string): string {
  return key.endsWith('/') ? `${prefix}${key.slice(0, -1)}${BEHIND_SLASH}` : `${prefix}${key}${LEAST}`;
}

/** The first secrets of a namespace that can be synced, ordered by mount and path. */
export async function listSomeSecrets(
  db: Database,
  namespaceId: string,
  limit: number,
): Promise<{ mount: string; path: string }[]> {
  const { rows } = await db.raw<{ rows: { mount: string; path: string }[] }>(
    `SELECT m.path AS mount, s.path FROM (
       SELECT id, path FROM mounts WHERE namespace_id = ? AND version = 2 ORDER BY path
     ) m CROSS JOIN LATERAL (SELECT path FROM secrets WHERE mount_id = m.id ORDER BY path LIMIT ?) s
     LIMIT ?`,
    [namespaceId, limit, limit],
  );
  return rows;
}

/** Paths of a mount with a prefix, after `after`, in byte order. */
export async function listSecretsBelow(
  db: Database,
  mountId: number,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { path: string }[] }>(
    `SELECT path FROM secrets WHERE mount_id = ? AND path > ? AND path >= ? AND starts_with(path, ?)
     ORDER BY path LIMIT ?`,
    [mountId, after, prefix, prefix, limit],
  );
  return rows.map(({ path }) => path);
}
