import type { Database } from '../../db/connect.ts';
import { isSqlState, UNIQUE_VIOLATION } from '../../db/sql-state.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { ledgerEntry } from '../orders/ledger.ts';
import type { LedgerEntry } from '../orders/order.ts';

/** A name that an association is about to write, in the form the store compares. */
export type WantedEntry = { subKey: string; name: string; nameKey: string };

/** The association that holds a name, and the name. */
export type NameHolder = {
  external_name: string;
  name_key: string;
  namespace_id: string;
  type: string;
  destination: string;
  mount: string;
  secret_path: string;
  removing: boolean;
};

/**
 * Entries of a container that have one of the names and belong to other associations. `moving`: a destination whose entries
 * will move there, so that they count too; 0: none.
 */
export async function findHolders(
  db: Database,
  { container, moving = 0 }: { container: string; moving?: number },
  nameKeys: string[],
  except: number | null,
): Promise<NameHolder[]> {
  const { rows } = await db.raw<{ rows: NameHolder[] }>(
    `SELECT e.external_name, e.name_key, a.namespace_id, d.type, d.name AS destination, m.path AS mount, a.secret_path, a.removing
     FROM entries e
     JOIN associations a ON a.id = e.association_id
     JOIN destinations d ON d.id = e.destination_id AND ${NOT_DELETED}
     JOIN mounts m ON m.id = a.mount_id
     WHERE (e.container = ? OR e.container = (SELECT container FROM destinations WHERE id = ?) AND d.id = ?)
       AND e.name_key = ANY (?) AND e.association_id IS DISTINCT FROM ?
     ORDER BY e.id`,
    [container, moving, moving, nameKeys, except],
  );
  return rows;
}

/** Reserves names for a new association. Throws a unique violation if another association was faster. */
export async function insertEntries(
  transaction: Database,
  owner: { associationId: number; destinationId: number; container: string },
  wanted: WantedEntry[],
): Promise<void> {
  if (wanted.length === 0) return;
  await transaction.raw(
    `INSERT INTO entries (association_id, destination_id, container, sub_key, external_name, name_key)
     SELECT ?, ?, ?, w."subKey", w."name", w."nameKey"
     FROM json_to_recordset(?::json) AS w ("subKey" text, "name" text, "nameKey" text)`,
    [owner.associationId, owner.destinationId, owner.container, JSON.stringify(wanted)],
  );
}

/** The ledger entries of an association. `leavesDrift`: as for a push that writes no drift again; `aloneKeys`: that writes only the one of these keys. */
export async function findEntries(
  db: Database,
  associationId: number,
  { leavesDrift = false, aloneKeys }: { leavesDrift?: boolean; aloneKeys?: string[] | undefined } = {},
): Promise<LedgerEntry[]> {
  const { rows } = await db.raw<{ rows: LedgerEntry[] }>(
    `SELECT ${ledgerEntry('(?::boolean OR NOT coalesce(e.sub_key = ANY (?::text[]), true))')} FROM entries e WHERE e.association_id = ? ORDER BY e.id`,
    [leavesDrift, aloneKeys ?? null, associationId],
  );
  return rows;
}

/** Whether an error says that another association took the name meanwhile. */
export function isNameTaken(error: unknown): boolean {
  return (
    isSqlState(error, UNIQUE_VIOLATION) &&
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'entries_container_name_key_key'
  );
}
