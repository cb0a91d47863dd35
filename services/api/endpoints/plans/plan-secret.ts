import { planOrder, sameTags, type Comparison, type NamedValue } from '../../../../libs/sync/push/plan.ts';
import type { Destination } from '../../../../libs/connector/contract.ts';
import { findAssociation } from '../../../../libs/store/associations/associations.ts';
import { findDrifted } from '../../../../libs/store/associations/drift.ts';
import { findEntries, findHolders } from '../../../../libs/store/associations/entries.ts';
import type { LedgerEntry } from '../../../../libs/store/orders/order.ts';
import type { Mount } from '../../../../libs/store/secrets/mounts.ts';
import type { PlanStepAnswer } from '../../contract/plans.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { describeHolder, readSource } from '../associations/source.ts';
import type { PlannedDestination } from '../destinations/draft.ts';

/** One step; `isNew`: the ledger has no entry of that name, so only the store knows whether there is one. */
export type PlannedStep = PlanStepAnswer & { isNew: boolean };

export type SecretPlan = { steps: PlannedStep[]; version: number | null; isFallback: boolean };

type Planned = { type: Destination; destination: PlannedDestination; mount: Mount; path: string };

/** What syncing a secret would do, as far as the ledger knows. Throws 400 if there is no such secret. */
export async function planSecret(request: ApiRequest, planned: Planned): Promise<SecretPlan> {
  const { db, installation } = request.services;
  const { type, destination, mount, path } = planned;
  const source = await readSource(db, request, { mount, path, granularity: destination.granularity });
  const isLeftOut = !source.isNewest && destination.on_latest_deleted === 'remove';
  const key = { destinationId: destination.id, mountId: mount.id, secretPath: path };
  const id = destination.id === 0 ? undefined : await findAssociation(db, key);
  const order = {
    id: id ?? 0,
    namespace: request.namespace,
    mount,
    secretPath: path,
    destination: orderDestination(destination),
    entries: id === undefined || destination.isMoved ? [] : await findEntries(db, id),
  };
  const result = planOrder(order, isLeftOut ? [] : source.values, {
    destination: type,
    hashKey: installation.hashKey,
  });
  const holders = await findHolders(
    db,
    destination.container,
    result.targets.map(({ nameKey }) => nameKey),
    id ?? null,
  );
  const taken = new Map(holders.map((holder) => [holder.name_key, describeHolder(request, holder)]));
  const drifted = id === undefined ? new Set<number>() : await findDrifted(db, id);
  return {
    steps: describe(result, planned, { taken, drifted }),
    version: isLeftOut ? null : source.version,
    isFallback: !source.isNewest && !isLeftOut,
  };
}

const CHANGED = 'somebody changed the entry in the store after it was written, and that change would be lost';

// `taken`: who holds a name; `drifted`: the ids of entries that somebody else changed.
function describe(
  result: Comparison,
  { type, destination }: Planned,
  { taken, drifted }: { taken: Map<string, string>; drifted: Set<number> },
): PlannedStep[] {
  const steps = [
    ...result.targets.map((target) => {
      const { subKey, name } = target;
      const holder = taken.get(target.nameKey);
      if (holder !== undefined) return step(subKey, name, 'conflict', holder);
      if (target.entry && drifted.has(target.entry.id)) return step(subKey, name, 'overwrite', CHANGED);
      const action = actionOn(target, type.tags ? destination.custom_tags : {});
      return { ...step(subKey, name, action), isNew: action === 'create' };
    }),
    ...result.refused.map(({ subKey, name, code, message }) =>
      step(subKey, name, code === 'name_collision' ? 'conflict' : 'refused', message),
    ),
    ...result.leftover.filter(({ owned }) => owned).map((entry) => leave(entry, destination)),
  ];
  return steps.toSorted((left, right) =>
    left.sub_key < right.sub_key ? -1 : left.sub_key > right.sub_key ? 1 : 0,
  );
}

/** What becomes of an entry that is no longer wanted. */
export function leave({ subKey, externalName }: LedgerEntry, destination: PlannedDestination): PlannedStep {
  const isKept = destination.deletion_policy === 'retain';
  return isKept
    ? step(subKey, externalName, 'retain', 'deletion_policy is retain')
    : step(subKey, externalName, 'delete');
}

function step(
  subKey: string,
  name: string,
  action: PlanStepAnswer['action'],
  reason: string | null = null,
): PlannedStep {
  return { sub_key: subKey, external_name: name, action, reason, isNew: false };
}

function actionOn(
  { entry, fingerprint }: NamedValue,
  tags: Record<string, string>,
): PlanStepAnswer['action'] {
  if (!entry?.owned) return 'create';
  return entry.valueFingerprint === fingerprint && sameTags(entry.writtenTags, tags) ? 'unchanged' : 'update';
}

function orderDestination(destination: PlannedDestination) {
  return {
    id: destination.id,
    name: destination.name,
    container: destination.container,
    revision: 0,
    settingsDigest: '',
    granularity: destination.granularity,
    template: destination.secret_name_template,
    customTags: destination.custom_tags,
    conflictPolicy: destination.conflict_policy,
    deletionPolicy: destination.deletion_policy,
    ownerCheckMs: destination.owner_check_seconds * 1000,
    failures: 0,
  };
}
