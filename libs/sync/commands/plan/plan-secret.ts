import { sourceValues } from '../../../connector/source-values.ts';
import { unseal } from '../../../crypto/seal.ts';
import type { PlannedStep, PlanRequest } from '../../../commands/connector-commands.ts';
import type { Database } from '../../../db/connect.ts';
import { findNamedAssociation, type NamedAssociation } from '../../../store/associations/associations.ts';
import { findLiveVersion } from '../../../store/associations/source-version.ts';
import { findDrifted } from '../../../store/associations/drift.ts';
import { findEntries, findHolders, type NameHolder } from '../../../store/associations/entries.ts';
import type { LedgerEntry } from '../../../store/orders/order.ts';
import type { Engine } from '../../engine.ts';
import { failedKeys } from './failing.ts';
import type { PlanComparison, NamedValue } from '../../order.ts';
import type { Capacity } from '../../capacity.ts';
import { findExcess } from './excess.ts';
import { CHANGE_LOST, GONE, ONLY_MARKED, type OpenPlan, type OpenStep, type PolicyFor } from './open-plan.ts';
import { decisionAbout } from '../../push/ownership.ts';
import { planOrder, sameTags } from '../../push/plan.ts';
import { isOvertaken } from '../../push/remove.ts';
import { isUnconfirmedCreate } from '../../push/uncertainty.ts';
import { whyWaiting } from './waiting.ts';

type PlannedDestination = PlanRequest['destination'];
type PlannedSecret = PlanRequest['secrets'][number];

const LEFT = 'someone changed this entry in the store; it is left as it is';

/** `findCapacity`: what the container still takes; a plan takes its part of that. */
type Planning = { engine: Engine; findCapacity: () => Promise<Capacity> };

/** What syncing a secret would do, or unlinking it, as far as the ledger knows. */
export async function planSecret(
  request: PlanRequest,
  secret: PlannedSecret,
  planning: Planning,
): Promise<OpenPlan> {
  const { db } = planning.engine.context;
  const linked = await findLinked(request, secret, db);
  const stays = request.keepsUnlinking === true && linked?.removing === true;
  if (!request.unlink && !stays) return planSync(request, { ...secret, linked }, planning);
  return linked ? planUnlink(request, linked, planning.engine) : withoutSteps(request);
}

// `fault`: why there are no steps.
function withoutSteps({ destination }: PlanRequest, fault: OpenPlan['fault'] = null): OpenPlan {
  const policyFor = () => destination.conflictPolicy;
  return { version: null, isFallback: false, fault, steps: [], associationId: 0, policyFor };
}

async function planSync(
  request: PlanRequest,
  secret: PlannedSecret & { linked: NamedAssociation | undefined },
  { engine, findCapacity }: Planning,
): Promise<OpenPlan> {
  const { context, destination: type } = engine;
  const { destination, namespace, decided, leavesDrift = false } = request;
  const { mount, path, linked } = secret;
  const { db, keyring, installation } = context;
  const live = await findLiveVersion(db, { mountId: mount.id, path });
  // Whoever retries a link hastens that what is left of it is deleted. Nobody can sync it.
  if (!live && linked && request.keepsUnlinking === true) return planUnlink(request, linked, engine);
  if (!live) return withoutSteps(request, 'no_live_version');
  const isLeftOut = !live.isNewest && destination.onLatestDeleted === 'remove';
  const json = unseal(keyring, live.sealed, `secret_versions/${live.secret_id}/${live.version}`).toString();
  const values = isLeftOut ? [] : sourceValues(json, destination.granularity);
  const id = linked?.id;
  const template = (secret.template ?? linked?.template) || destination.template;
  const entries =
    id === undefined || destination.isMoved
      ? []
      : await findEntries(db, id, { leavesDrift, aloneKeys: decided?.keys });
  const compared = planOrder(
    { id: id ?? 0, namespace, mount, secretPath: path, destination: { ...destination, template }, entries },
    values,
    {
      destination: type,
      hashKey: installation.hashKey,
    },
  );
  const names = compared.targets.map(({ nameKey }) => nameKey);
  // Where the settings lead to another container, the entries of the destination's other links move there too.
  const place = { container: destination.container, moving: destination.id };
  const holders = await findHolders(db, place, names, id ?? null);
  const taken = new Map(holders.map((holder) => [holder.name_key, holder]));
  const excess = await findExcess(
    compared.targets.filter(({ nameKey }) => !taken.has(nameKey)),
    { limits: type.limits, container: destination.container, findCapacity },
  );
  const drifted = id === undefined ? new Map<number, string>() : await findDrifted(db, id);
  return {
    version: isLeftOut ? null : live.version,
    isFallback: !live.isNewest && !isLeftOut,
    fault: null,
    associationId: id ?? 0,
    policyFor: policyOf(request, secret),
    failed: failedKeys(entries),
    ...(linked?.standing ? { standing: linked.standing } : {}),
    steps: describe(compared, destination, {
      version: live.version,
      taken,
      drifted,
      excess,
      tags: type.tags ? destination.customTags : {},
    }),
  };
}

// What becomes of entries of somebody else. A new name is another entry, about which nothing was decided.
function policyOf(
  { destination, decided, keepsDecisions, keepsPending }: PlanRequest,
  { template, linked }: PlannedSecret & { linked: NamedAssociation | undefined },
): PolicyFor {
  const known = template === undefined ? linked : undefined;
  const kept = keepsDecisions === true ? known?.decision : keepsPending === true ? known?.pending : null;
  const standing = decided
    ? { decision: decided.policy, decidedKeys: decided.keys }
    : { decision: kept ?? null, decidedKeys: known?.keys ?? null };
  return (subKey) => decisionAbout(subKey, standing) ?? destination.conflictPolicy;
}

// No steps, if it is not linked or nothing was written.
async function planUnlink(request: PlanRequest, linked: NamedAssociation, engine: Engine): Promise<OpenPlan> {
  const { db } = engine.context;
  const { id } = linked;
  const entries = await findEntries(db, id);
  const drifted = await findDrifted(db, id);
  const isDeleting = request.destination.deletionPolicy !== 'retain';
  const steps = entries.flatMap((entry): OpenStep[] => {
    if (entry.owned) return [leave(entry, request.destination, drifted)];
    return isDeleting && isUnconfirmedCreate(entry, engine.destination) ? [leaveUnsure(entry)] : [];
  });
  return { ...withoutSteps(request), steps, associationId: id };
}

async function findLinked(
  { destination }: PlanRequest,
  { mount, path }: PlannedSecret,
  db: Database,
): Promise<NamedAssociation | undefined> {
  if (destination.id === 0) return undefined;
  return findNamedAssociation(db, { destinationId: destination.id, mountId: mount.id, secretPath: path });
}

// The codes of the drift of entries, by their ids.
type Drifted = Awaited<ReturnType<typeof findDrifted>>;

type Known = {
  version: number;
  taken: Map<string, NameHolder>;
  drifted: Drifted;
  excess: Map<NamedValue, string>;
  tags: Record<string, string>;
};

// `version`: of the values; `taken`: who holds a name; `excess`: which values do not fit, and why; `tags`: the wanted ones.
function describe(
  compared: PlanComparison,
  destination: PlannedDestination,
  { version, taken, drifted, excess, tags }: Known,
): OpenStep[] {
  const wanted = new Map(compared.targets.map(({ subKey, fingerprint }) => [subKey, fingerprint]));
  const steps = [
    ...compared.targets.map((target): OpenStep => {
      const { subKey, name, entry } = target;
      const holder = taken.get(target.nameKey);
      if (holder !== undefined) return { ...step(subKey, name, 'taken'), holder };
      const isTooMuch = excess.get(target);
      if (isTooMuch !== undefined) return step(subKey, name, 'refused', isTooMuch);
      const drift = entry && drifted.get(entry.id);
      const action = drift === 'gone_outside' ? 'create' : actionOn(target, tags);
      // Without a fingerprint, which a push that leaves drift has, it is never unchanged.
      const isChanged = drift === 'changed_outside';
      const isNew = action === 'create';
      const own = entry?.owned && !isNew ? ownEntry(entry, target.fingerprint, version) : {};
      const isLeft = isChanged && action === 'unchanged';
      const known = isLeft ? LEFT : drift === 'gone_outside' ? GONE : isChanged ? CHANGE_LOST : null;
      const made = step(subKey, name, isChanged && !isLeft ? 'overwrite' : action, known);
      return {
        ...made,
        isNew: isNew && !isChanged,
        isChanged,
        hasName: entry !== undefined,
        print: target.fingerprint,
        ...own,
      };
    }),
    ...compared.refused.map(({ subKey, name, code, message }) =>
      step(subKey, name, code === 'name_collision' ? 'taken' : 'refused', message),
    ),
    ...compared.leftover
      .filter(({ owned }) => owned)
      .map((entry) => ({
        ...leave(entry, destination, drifted),
        ...ownEntry(entry, wanted.get(entry.subKey), version),
        isOvertaken: isOvertaken(entry, compared.leftover),
      })),
  ];
  return steps.toSorted((left, right) =>
    left.subKey < right.subKey ? -1 : left.subKey > right.subKey ? 1 : 0,
  );
}

function ownEntry(
  entry: LedgerEntry,
  wanted: string | undefined,
  version: number,
): Pick<OpenStep, 'entryId' | 'reference' | 'waiting'> {
  const { id, reference } = entry;
  const waiting = wanted === undefined ? null : whyWaiting(entry, wanted, version);
  return { entryId: id, reference, ...(waiting ? { waiting } : {}) };
}

// What becomes of an entry that is no longer wanted.
function leave(
  { id, subKey, externalName }: LedgerEntry,
  { deletionPolicy }: PlannedDestination,
  drifted: Drifted,
): OpenStep {
  if (deletionPolicy === 'retain')
    return { ...step(subKey, externalName, 'retain', 'deletion_policy is retain'), entryId: id };
  const isChanged = drifted.get(id) === 'changed_outside';
  const reason = isChanged ? CHANGE_LOST : null;
  return { ...step(subKey, externalName, 'delete', reason), isChanged, entryId: id };
}

// Of an entry whose creation or deletion is not confirmed, only its mark tells whose it is.
function leaveUnsure({ id, subKey, externalName }: LedgerEntry): OpenStep {
  return {
    ...step(subKey, externalName, 'unchanged', ONLY_MARKED),
    entryId: id,
    isUnsure: true,
    unchecked: true,
  };
}

function step(
  subKey: string,
  externalName: string,
  action: PlannedStep['action'],
  reason: string | null = null,
): OpenStep {
  return { subKey, externalName, action, reason, holder: null, isNew: false };
}

function actionOn({ entry, fingerprint }: NamedValue, tags: Record<string, string>): PlannedStep['action'] {
  if (!entry?.owned) return 'create';
  return entry.valueFingerprint === fingerprint && sameTags(entry.writtenTags, tags) ? 'unchanged' : 'update';
}
