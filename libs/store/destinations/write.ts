import type { Keyring } from '../../crypto/keyring.ts';
import { seal, unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import type { DestinationKey, DestinationOptions, DestinationRow } from './destinations.ts';
import type { Move } from './move.ts';
import { continueRollout, KEEPS_DECISIONS, rolloutColumns } from './rollout.ts';

const MASK = '*****';

/** A validated destination: `secrets` are the sensitive settings, `settings` the others. */
export type DestinationDocument = {
  settings: Record<string, unknown>;
  secrets: Record<string, unknown>;
  /** The external container; destinations with the same container share one set of names. */
  container: string;
  options: DestinationOptions;
};

/** A document and the display name of its author. */
type Authored = { document: DestinationDocument; author: string };

/** Undefined if the name is taken. */
export async function insertDestination(
  transaction: Database,
  keyring: Keyring,
  key: DestinationKey,
  { document, author }: Authored,
): Promise<DestinationRow | undefined> {
  const rows: DestinationRow[] = await transaction('destinations')
    .insert({
      namespace_id: key.namespaceId,
      type: key.type,
      name: key.name,
      ...openColumns(document),
      changed_at: transaction.fn.now(),
      changed_by: author,
    })
    .onConflict(['namespace_id', 'type', 'name'])
    .ignore()
    .returning('*');
  const [row] = rows;
  if (!row) return undefined;
  // Sealed values are bound to the row's id, which is known only now.
  await transaction('destinations')
    .where({ id: row.id })
    .update(sealedColumn(keyring, row.id, document));
  return row;
}

/**
 * Stores a change, makes every association due, and ends a failed purge. `move`: what a new container means.
 * `isReconnected`: settings or credentials changed, so a wait that the store asked for no longer applies. `keepsDecisions`:
 * what people decided about entries stays. If there are more than `limit` associations, workers make the rest due.
 */
export async function updateDestination(
  transaction: Database,
  keyring: Keyring,
  change: Authored & {
    row: DestinationRow;
    move: Move;
    isReconnected: boolean;
    keepsDecisions: boolean;
    limit: number;
  },
): Promise<DestinationRow> {
  const { row, document, author, move, isReconnected, keepsDecisions, limit } = change;
  const rows: DestinationRow[] = await transaction('destinations')
    .where({ id: row.id })
    .update({
      ...openColumns(document),
      ...sealedColumn(keyring, row.id, document),
      revision: row.revision + 1,
      changed_at: transaction.fn.now(),
      changed_by: author,
      ...(isReconnected ? { throttled_until: null, rate_limit_reserved_until: null } : {}),
      failure: null,
      failures: 0,
      failed_at: null,
      failing_since: null,
      probe_at: null,
      // An edit keeps the destination.
      purge_initiated_at: null,
      purge_error: null,
      ...rolloutColumns(author, row.container === document.container ? undefined : move),
      ...(keepsDecisions ? { rollout_keeps: transaction.raw(KEEPS_DECISIONS) } : {}),
      updated_at: transaction.fn.now(),
    })
    .returning('*');
  const [updated] = rows;
  if (!updated) throw new Error('a locked destination disappeared');
  await continueRollout(transaction, row.id, limit);
  return updated;
}

/** The sensitive settings. Throws UnsealError. */
export function openSecrets(keyring: Keyring, row: DestinationRow): Record<string, unknown> {
  if (!row.sealed_settings) return {};
  return JSON.parse(unseal(keyring, row.sealed_settings, identity(row.id)).toString()) as Record<
    string,
    unknown
  >;
}

// The mask shows that a sensitive setting is set, so readers of the row need not unseal anything to know that.
function openColumns({
  settings,
  secrets,
  container,
  options,
}: DestinationDocument): Record<string, unknown> {
  const masks = Object.fromEntries(Object.keys(secrets).map((name) => [name, MASK]));
  return { ...options, settings: JSON.stringify({ ...settings, ...masks }), container };
}

function sealedColumn(
  keyring: Keyring,
  id: number,
  { secrets }: DestinationDocument,
): Record<string, unknown> {
  const isEmpty = Object.keys(secrets).length === 0;
  return { sealed_settings: isEmpty ? null : seal(keyring, JSON.stringify(secrets), identity(id)) };
}

function identity(id: number): string {
  return `destinations/${id}`;
}
