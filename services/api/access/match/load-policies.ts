import { LRUCache } from 'lru-cache';
import { permissionDenied } from '../../../../libs/errors/request-error.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import {
  findPolicyDocuments,
  findPolicyVersions,
  type PolicyVersion,
} from '../../../../libs/store/access/policies.ts';
import { LIMITS } from '../../limits.ts';
import type { PolicyDocument } from '../policy.ts';
import { COMPILED_BUILT_IN, compilePolicy, type CompiledPolicy } from './compile-policy.ts';

// Rules, names and values of parameters, of all policies that one process keeps; some 50 MB.
const MOST_KEPT = 200_000;
// Postgres' driver parses the documents of one answer in one go.
const MOST_BYTES_AT_ONCE = 64 * 1024;

type Cache = LRUCache<string, CompiledPolicy>;

const caches = new WeakMap<Database, Cache>();

/**
 * The policies of these names that exist, compiled. Only their versions are read each time; a policy is compiled once.
 * Throws 403 if they have more rules together than a request may cost.
 */
export async function loadPolicies(
  db: Database,
  namespaceId: string,
  names: string[],
): Promise<CompiledPolicy[]> {
  const builtIn = names.flatMap((name) => COMPILED_BUILT_IN.get(name) ?? []);
  const others = names.filter((name) => !COMPILED_BUILT_IN.has(name));
  const cache = cacheOf(db);
  const versions = await findPolicyVersions(db, namespaceId, others);
  const found = versions.map((version) => cache.get(keyOf(namespaceId, version)));
  const known = found.filter((policy) => policy !== undefined);
  let size = refuseTooLarge(known.reduce((sum, policy) => sum + policy.size, 0));
  const loaded: CompiledPolicy[] = [];
  for (const batch of batchesOf(versions.filter((_, index) => found[index] === undefined))) {
    // One of them may have changed or gone meanwhile: what is read now counts.
    for (const { document, ...version } of await findPolicyDocuments(db, namespaceId, batch)) {
      const policy = await compilePolicy(document as PolicyDocument);
      cache.set(keyOf(namespaceId, version), policy);
      loaded.push(policy);
      size = refuseTooLarge(size + policy.size);
    }
  }
  return [...builtIn, ...known, ...loaded];
}

function refuseTooLarge(size: number): number {
  if (size <= LIMITS.tokenRules.value) return size;
  throw permissionDenied(
    `the policies of the token have more than ${LIMITS.tokenRules.value} rules, names and values of parameters together: give it fewer policies`,
  );
}

function* batchesOf(versions: PolicyVersion[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const version of versions) {
    if (batch.length > 0 && bytes + version.bytes > MOST_BYTES_AT_ONCE) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(version.name);
    bytes += version.bytes;
  }
  if (batch.length > 0) yield batch;
}

function cacheOf(db: Database): Cache {
  const known = caches.get(db);
  if (known) return known;
  const cache: Cache = new LRUCache({ maxSize: MOST_KEPT, sizeCalculation: ({ size }) => Math.max(1, size) });
  caches.set(db, cache);
  return cache;
}

function keyOf(namespaceId: string, { name, version }: { name: string; version: string }): string {
  return `${namespaceId} ${name} ${version}`;
}
