import { mostEntries } from '../../../../libs/connector/most-entries.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import { counted } from '../../../../libs/collections/counted.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest, conflict, notFound, RequestError } from '../../../../libs/errors/request-error.ts';
import {
  linkSecret,
  lockLink,
  type AssociationKey,
  type Linked,
} from '../../../../libs/store/associations/associations.ts';
import {
  findHolders,
  insertEntries,
  isNameTaken,
  type WantedEntry,
} from '../../../../libs/store/associations/entries.ts';
import { findDestination, type DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { freeNames } from '../../../../libs/store/destinations/delete.ts';
import { endPurge } from '../../../../libs/store/destinations/purges.ts';
import type { Decision } from '../../../../libs/store/due/trigger.ts';
import type { Mount } from '../../../../libs/store/secrets/mounts.ts';
import { readSyncConfig } from '../../../../libs/store/associations/sync-config.ts';
import { measureContainer } from '../../../../libs/store/orders/reserve.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedSecret } from './common.ts';
import { describeHolder, nameEntries, ownTemplateOf, readSource, requireKeys } from './source.ts';
import { noDestination, refuseWhilePurging, type NamedDestination } from '../named-destination.ts';

const QUEUE_RETRY_SECONDS = 60;
// Counting takes longer the more entries there are. A store with a higher limit reports by itself that it is full.
const MOST_COUNTED = 10_000;

type Wanted = {
  named: NamedDestination;
  secret: NamedSecret;
  mount: Mount;
  decision?: Decision | undefined;
  /** A template of its own for its names; an empty one takes it away. */
  /** What the entries had that it decides about: fingerprints by name. */
  expected?: Record<string, string> | undefined;
  /** The keys whose entries it decides about. */
  keys?: string[] | undefined;
  template?: string | undefined;
  /** What was decided before stays, unless this decides something else. */
  keepsDecision?: boolean;
  /** Throws if the secret is not linked, or is being unlinked. */
  onlyLinked?: boolean | undefined;
  /** Leaves what somebody has changed in the store since anybody looked. */
  onlySeen?: boolean | undefined;
};

/**
 * Links a secret, or makes an existing association due again. Throws if something is in the way; then nothing is linked.
 */
export async function link(
  request: ApiRequest,
  wanted: Wanted,
): Promise<{ linked: Linked; row: DestinationRow }> {
  // Each attempt of the transaction sets this. If the last one fails because of a name, we look up the holder of the
  // name afterwards.
  let attempted: { container: string; entries: WantedEntry[] } = { container: '', entries: [] };
  try {
    return await transact(request.services.db, async (transaction) => {
      const { mount, secret, named } = wanted;
      const row = await findDestination(transaction, named.key, 'share');
      // We report a missing secret before a missing destination.
      const granularity = row?.granularity ?? 'secret-path';
      const values = await readSource(transaction, request, { ...secret, mount, granularity });
      if (!row) throw noDestination(request);
      requireKeys(wanted.keys, { path: secret.path, values, granularity });
      refuseWhilePurging(row);
      if (row.purge_initiated_at) await endPurge(transaction, row.id);
      const template = ownTemplateOf({ secret_name_template: wanted.template }, row);
      const key = { destinationId: row.id, mountId: mount.id, secretPath: secret.path };
      if (wanted.onlyLinked) await requireLinked(transaction, key);
      const linked = await linkSecret(transaction, {
        ...key,
        namespaceId: request.namespace.id,
        author: request.caller.token.display_name,
        decision: wanted.decision,
        expected: wanted.expected,
        keys: wanted.keys,
        template,
        keepsDecision: wanted.keepsDecision,
        onlySeen: wanted.onlySeen,
      });
      // The worker handles the names of an existing association, but a new template could not work at all.
      if (!linked.created && template === undefined) return { linked, row };
      if (linked.created) await refuseFullQueue(transaction, request);
      const naming = { type: named.type, row, mount, path: secret.path, values, template: linked.template };
      const entries = nameEntries(request, naming);
      attempted = { container: row.container, entries };
      await freeNames(
        transaction,
        row.id,
        entries.map(({ nameKey }) => nameKey),
      );
      await refuseTaken(transaction, request, attempted, linked.id);
      if (!linked.created) return { linked, row };
      await refuseTooMany(transaction, named, attempted);
      await insertEntries(
        transaction,
        { associationId: linked.id, destinationId: row.id, container: row.container },
        entries,
      );
      return { linked, row };
    });
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    await refuseTaken(request.services.db, request, attempted, null);
    throw conflict('an external name of the secret is used by another association');
  }
}

/** The refusal of what is asked about a link that does not exist. */
export function notLinked(): RequestError {
  return notFound('the secret is not associated with this destination');
}

/** The refusal of what would link a secret again that somebody unlinks. */
export function beingUnlinked(): RequestError {
  return conflict('the secret is being unlinked from this destination');
}

async function requireLinked(transaction: Database, key: AssociationKey): Promise<void> {
  const found = await lockLink(transaction, key);
  if (found === 'unlinked') throw notLinked();
  if (found === 'unlinking') throw beingUnlinked();
}

async function refuseTaken(
  db: Database,
  request: ApiRequest,
  wanted: { container: string; entries: WantedEntry[] },
  except: number | null,
): Promise<void> {
  const keys = wanted.entries.map(({ nameKey }) => nameKey);
  const holders = await findHolders(db, wanted, keys, except);
  if (holders.length > 0) {
    throw conflict(...holders.slice(0, 10).map((holder) => describeHolder(request, holder)));
  }
}

async function refuseTooMany(
  db: Database,
  { type }: NamedDestination,
  wanted: { container: string; entries: WantedEntry[] },
): Promise<void> {
  const most = mostEntries(type.limits, wanted.container);
  if (most > MOST_COUNTED) return;
  const { entries: used } = await measureContainer(db, wanted.container);
  if (used + wanted.entries.length <= most) return;
  throw badRequest(
    `${type.type} accepts at most ${most} entries: used so far: ${used}, and the secret needs ${wanted.entries.length} more`,
  );
}

// Waiting work is rows, so more of it only costs disk space. The limit counts only while syncing is disabled.
async function refuseFullQueue(db: Database, { services }: ApiRequest): Promise<void> {
  const { disabled, queue_capacity: capacity } = await readSyncConfig(db);
  if (!disabled || !(await services.queueCapacity.isExceeded(db, capacity))) return;
  throw new RequestError(
    'queue_full',
    [
      `syncing is disabled, and ${counted(capacity, 'association already waits', 'associations already wait')} (queue_capacity): enable syncing, or raise queue_capacity`,
    ],
    { 'Retry-After': String(QUEUE_RETRY_SECONDS) },
  );
}
