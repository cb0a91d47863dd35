import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { randomId } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';
import { FOREIGN_KEY_VIOLATION, isSqlState, UNIQUE_VIOLATION } from '../../db/sql-state.ts';
import type { Stamp } from '../../validation/preconditions.ts';
import { transact } from '../../db/transact.ts';

/** The download of one build of a version; at most one for each architecture. */
export type Arch = { url: string; sha: string; os: string; arch: string };

/** The attributes of a version that an administrator sets. */
export type PolicyEngineVersionAttributes = {
  version: string;
  archs: Arch[];
  deprecated: boolean;
  deprecatedReason: string | null;
  official: boolean;
  enabled: boolean;
  beta: boolean;
};

/** The collections of releases: the neutral one, and those that clients know by the name of an engine. */
export const COLLECTIONS = ['policy-engine-versions', 'opa-versions', 'sentinel-versions'] as const;

export type Collection = (typeof COLLECTIONS)[number];

/** Identifies a version: an id is found only in its own collection. */
export type PolicyEngineVersionKey = { collection: Collection; id: string };

/** `usage`: number of workspaces and policy sets that use the version. */
export type PolicyEngineVersion = PolicyEngineVersionAttributes &
  Stamp & {
    id: string;
    usage: number;
    createdAt: Date;
  };

/**
 * One page, newest version first. `version` matches exactly and takes precedence over `search`, which matches a part.
 * Empty strings are ignored.
 */
export type PolicyEngineVersionQuery = {
  collection: Collection;
  version: string | undefined;
  search: string | undefined;
  limit: number;
  offset: number;
};

/** Thrown if another version already has this name. */
export class PolicyEngineVersionTakenError extends Error {
  constructor() {
    super('a version with this number already exists');
    this.name = 'PolicyEngineVersionTakenError';
  }
}

type Row = Stamp & {
  id: string;
  version: string;
  archs: Arch[];
  deprecated: boolean;
  deprecated_reason: string | null;
  official: boolean;
  enabled: boolean;
  beta: boolean;
  created_at: Date;
  usage: number;
};

// Postgres 18 and later report ON DELETE RESTRICT with this code; earlier ones report a foreign key violation.
const RESTRICT_VIOLATION = '23001';

const COLUMNS = `v.id, v.version, v.archs, v.deprecated, v.deprecated_reason, v.official, v.enabled, v.beta, v.created_at,
  v.revision, v.updated_at AS changed_at, v.changed_by,
  (SELECT count(*)::integer FROM policy_engine_version_usages u WHERE u.version_id = v.id) AS usage`;

const NEWEST_FIRST = 'major DESC, minor DESC, patch DESC, suffix_order DESC, id DESC';
const OLDEST_FIRST = 'major, minor, patch, suffix_order, id';

/** A page and the total number of matches. */
export async function listPolicyEngineVersions(
  db: Database,
  query: PolicyEngineVersionQuery,
): Promise<{ versions: PolicyEngineVersion[]; total: number }> {
  const [condition, values] = conditionOf(query);
  const counted = await db.raw<{ rows: { total: number }[] }>(
    `SELECT count(*)::integer AS total FROM policy_engine_versions WHERE ${condition}`,
    values,
  );
  const total = counted.rows[0]?.total ?? 0;
  const limit = Math.min(query.limit, total - query.offset);
  if (limit <= 0) return { versions: [], total };
  // Counts from the nearer end of the index, so the page in the middle is the slowest.
  const fromEnd = query.offset > total / 2;
  const offset = fromEnd ? total - query.offset - limit : query.offset;
  const { rows } = await db.raw<{ rows: Row[] }>(
    `SELECT ${COLUMNS} FROM (
       SELECT id FROM policy_engine_versions WHERE ${condition}
       ORDER BY ${fromEnd ? OLDEST_FIRST : NEWEST_FIRST} LIMIT ? OFFSET ?
     ) AS page JOIN policy_engine_versions v USING (id)
     ORDER BY ${NEWEST_FIRST}`,
    [...values, limit, offset],
  );
  return { versions: rows.map(fromRow), total };
}

/** Undefined if there is none. */
export async function findPolicyEngineVersion(
  db: Database,
  { collection, id }: PolicyEngineVersionKey,
): Promise<PolicyEngineVersion | undefined> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `SELECT ${COLUMNS} FROM policy_engine_versions v WHERE v.id = ? AND v.collection = ?`,
    [id, collection],
  );
  return rows[0] && fromRow(rows[0]);
}

/** `author` is a display name. Throws PolicyEngineVersionTakenError. */
export async function createPolicyEngineVersion(
  db: Database,
  collection: Collection,
  attributes: PolicyEngineVersionAttributes,
  author: string,
): Promise<PolicyEngineVersion> {
  const key = { collection, id: `tool-${randomId(16)}` };
  await db('policy_engine_versions')
    .insert({ ...key, ...toRow(attributes), changed_by: author })
    .catch(rethrowTaken);
  const created = await findPolicyEngineVersion(db, key);
  if (!created) throw new Error('a version disappeared while it was created');
  return created;
}

/**
 * Replaces the attributes of a version with the result of `change`; the row is locked meanwhile. Undefined if there is
 * none. Throws PolicyEngineVersionTakenError, and anything that `change` throws.
 */
export async function updatePolicyEngineVersion(
  db: Database,
  key: PolicyEngineVersionKey,
  change: (present: PolicyEngineVersion) => PolicyEngineVersionAttributes,
  author: string,
): Promise<PolicyEngineVersion | undefined> {
  return transact(db, async (transaction) => {
    await transaction('policy_engine_versions').where(key).forNoKeyUpdate().select('id');
    const present = await findPolicyEngineVersion(transaction, key);
    if (!present) return undefined;
    const next = change(present);
    if (isDeepStrictEqual({ ...present, ...next }, present)) return present;
    await transaction('policy_engine_versions')
      .where(key)
      .update({
        ...toRow(next),
        revision: present.revision + 1,
        updated_at: transaction.fn.now(),
        changed_by: author,
      })
      .catch(rethrowTaken);
    return findPolicyEngineVersion(transaction, key);
  });
}

/**
 * Deletes a version unless it is official or used, even if a usage is added at the same moment. `guard` gets the
 * present version, and may throw to refuse the deletion.
 */
export async function deletePolicyEngineVersion(
  db: Database,
  key: PolicyEngineVersionKey,
  guard: (present: PolicyEngineVersion) => void,
): Promise<'deleted' | 'absent' | 'official' | 'used'> {
  try {
    return await transact(db, async (transaction) => {
      await transaction('policy_engine_versions').where(key).forUpdate().select('id');
      const present = await findPolicyEngineVersion(transaction, key);
      if (!present) return 'absent';
      guard(present);
      if (present.official) return 'official';
      await transaction('policy_engine_versions').where(key).delete();
      return 'deleted';
    });
  } catch (error) {
    if (isSqlState(error, FOREIGN_KEY_VIOLATION, RESTRICT_VIOLATION)) return 'used';
    throw error;
  }
}

/** `suffix_order` sorts a version without suffix above all its suffixes, and `-b10` above `-b9`. */
export function orderOf(version: string): {
  major: bigint;
  minor: bigint;
  patch: bigint;
  suffix_order: string;
} {
  const [, major = '0', minor = '0', patch = '0', suffix] =
    /^(\d+)\.(\d+)\.(\d+)(?:-(.*))?$/s.exec(version) ?? [];
  return {
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    // `~` sorts above every character a suffix may have; a number sorts by its length first.
    suffix_order: suffix === undefined ? '~' : suffix.toLowerCase().replace(/\d+/g, lengthFirst),
  };
}

function lengthFirst(digits: string): string {
  const number = digits.replace(/^0+(?=\d)/, '');
  return `${String(number.length).padStart(3, '0')}${number}`;
}

function conditionOf({ collection, version, search }: PolicyEngineVersionQuery): [string, Knex.RawBinding[]] {
  const own = 'collection = ?';
  if (version) return [`${own} AND version = ?`, [collection, version]];
  if (search) return [`${own} AND strpos(lower(version), lower(?)) > 0`, [collection, search]];
  return [own, [collection]];
}

function toRow(attributes: PolicyEngineVersionAttributes): Record<string, unknown> {
  const { major, minor, patch, suffix_order } = orderOf(attributes.version);
  return {
    version: attributes.version,
    major: String(major),
    minor: String(minor),
    patch: String(patch),
    suffix_order,
    archs: JSON.stringify(attributes.archs),
    deprecated: attributes.deprecated,
    deprecated_reason: attributes.deprecatedReason,
    official: attributes.official,
    enabled: attributes.enabled,
    beta: attributes.beta,
  };
}

function fromRow(row: Row): PolicyEngineVersion {
  const { deprecated_reason: deprecatedReason, created_at: createdAt, ...same } = row;
  return { ...same, deprecatedReason, createdAt };
}

function rethrowTaken(error: unknown): never {
  throw isSqlState(error, UNIQUE_VIOLATION) ? new PolicyEngineVersionTakenError() : error;
}
