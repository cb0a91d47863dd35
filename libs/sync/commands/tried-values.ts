import { sourceValues } from '../../connector/source-values.ts';
import { ledgerKey } from '../../connector/names.ts';
import { unseal } from '../../crypto/seal.ts';
import type { WorkOrder } from '../../store/orders/order.ts';
import { findVersion, versionIdentity } from '../../store/secrets/read.ts';
import type { Engine } from '../engine.ts';
import { fingerprintOf } from '../push/drift.ts';

// The store may have any of them while writes are not confirmed. Each is read by itself, so that no turn takes long.
const MOST_VERSIONS = 20;

/**
 * The keyed fingerprints, by key, of all values that a push may have written since the entries were last confirmed; undefined
 * if that cannot be told any more, because a version is destroyed or there are too many.
 */
export async function findTried(
  order: WorkOrder,
  engine: Engine,
): Promise<Map<string, Set<string>> | undefined> {
  const { mount, secretPath: path, source, entries } = order;
  const { db, keyring } = engine.context;
  const newest = await findVersion(db, { mount, path });
  if (!newest || !source) return undefined;
  const first = Math.min(source.secretVersion, ...entries.map(({ syncedVersion }) => syncedVersion ?? 1));
  if (newest.version - first >= MOST_VERSIONS) return undefined;
  const tried = new Map<string, Set<string>>();
  for (let version = first; version <= newest.version; version += 1) {
    const stored = await findVersion(db, { mount, path }, version);
    if (!stored?.sealed) return undefined;
    const json = unseal(keyring, stored.sealed, versionIdentity(stored.secret_id, version)).toString();
    for (const { subKey, value } of sourceValues(json, order.destination.granularity)) {
      const key = ledgerKey(subKey);
      const prints = tried.get(key) ?? new Set();
      tried.set(key, prints.add(fingerprintOf({ associationId: order.id }, value, engine)));
    }
  }
  return tried;
}
