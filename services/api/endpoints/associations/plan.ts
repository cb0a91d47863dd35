import { planOrder, sameTags, type Comparison, type Target } from '../../../../libs/sync/push/plan.ts';
import { findAssociation } from '../../../../libs/store/associations/associations.ts';
import { findEntries, findHolders } from '../../../../libs/store/associations/entries.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import type { Mount } from '../../../../libs/store/secrets/mounts.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { namedSecret, requireMount, secretBody } from './common.ts';
import { describeHolder, readSource, requireReadable } from './source.ts';
import { requireDestination, type NamedDestination } from '../destinations/common.ts';

type Step = { sub_key: string; external_name: string; action: string; reason: string | null };
type Planned = NamedDestination & { row: DestinationRow; mount: Mount; path: string };

/** What syncing a secret would do. The ledger is asked, never the store: an entry that somebody else made is not seen. */
export const associationPlanEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/destinations/:type/:name/associations/plan',
    access: 'policy',
    summary: 'Show what linking a secret would write, without writing anything',
    body: secretBody,
    handle: async (request) => {
      const secret = namedSecret(request.body);
      requireReadable(request, secret);
      const mount = await requireMount(request, secret);
      const destination = await requireDestination(request);
      const { steps, version, isFallback } = await plan(request, {
        ...destination,
        mount,
        path: secret.path,
      });
      return ok({
        store_name: destination.key.name,
        store_type: destination.asked,
        mount: mount.path,
        secret_name: secret.path,
        source_version: version,
        // The newest version is deleted or has expired, and an older one would be written.
        is_fallback: isFallback,
        planned: steps,
      });
    },
  }),
];

type Outcome = { steps: Step[]; version: number | null; isFallback: boolean };

async function plan(request: ApiRequest, planned: Planned): Promise<Outcome> {
  const { db, installation } = request.services;
  const { type, row, mount, path } = planned;
  const source = await readSource(db, request, { mount, path, granularity: row.granularity });
  const isLeftOut = !source.isNewest && row.on_latest_deleted === 'remove';
  const values = isLeftOut ? [] : source.values;
  const id = await findAssociation(db, { destinationId: row.id, mountId: mount.id, secretPath: path });
  const order = {
    id: id ?? 0,
    namespace: request.namespace,
    mount,
    secretPath: path,
    destination: orderDestination(row),
    entries: id === undefined ? [] : await findEntries(db, id),
  };
  const result = planOrder(order, values, { destination: type, hashKey: installation.hashKey });
  const holders = await findHolders(
    db,
    row.place,
    result.targets.map(({ nameKey }) => nameKey),
    id ?? null,
  );
  const taken = new Map(holders.map((holder) => [holder.name_key, describeHolder(request, holder)]));
  return {
    steps: describe(result, planned, taken),
    version: isLeftOut ? null : source.version,
    isFallback: !source.isNewest && !isLeftOut,
  };
}

function describe(result: Comparison, { type, row }: Planned, taken: Map<string, string>): Step[] {
  const step = (subKey: string, name: string, action: string, reason: string | null = null): Step => ({
    sub_key: subKey,
    external_name: name,
    action,
    reason,
  });
  const kept = row.deletion_policy === 'retain' ? 'deletion_policy is retain' : null;
  return [
    ...result.targets.map((target) => {
      const holder = taken.get(target.nameKey);
      if (holder !== undefined) return step(target.subKey, target.name, 'conflict', holder);
      return step(target.subKey, target.name, actionOn(target, type.tags ? row.custom_tags : {}));
    }),
    ...result.refused.map(({ subKey, name, code, message }) =>
      step(subKey, name, code === 'name_collision' ? 'conflict' : 'refused', message),
    ),
    ...result.leftover
      .filter(({ held }) => held)
      .map(({ subKey, externalName }) => step(subKey, externalName, kept ? 'retain' : 'delete', kept)),
  ].toSorted((left, right) => (left.sub_key < right.sub_key ? -1 : left.sub_key > right.sub_key ? 1 : 0));
}

function actionOn({ entry, fingerprint }: Target, tags: Record<string, string>): string {
  if (!entry?.held) return 'create';
  return entry.valueFingerprint === fingerprint && sameTags(entry.writtenTags, tags) ? 'unchanged' : 'update';
}

function orderDestination(row: DestinationRow) {
  return {
    id: row.id,
    name: row.name,
    container: row.place,
    revision: row.revision,
    settingsDigest: '',
    granularity: row.granularity,
    template: row.secret_name_template,
    customTags: row.custom_tags,
    conflictPolicy: row.conflict_policy,
    deletionPolicy: row.deletion_policy,
    ownerCheckMs: row.owner_check_seconds * 1000,
    failures: 0,
  };
}
