import type { Database } from '../../libs/db/connect.ts';

/** Columns of an association. Its secret need not exist. Missing columns get the values of a new association. */
export type AssociationColumns = {
  destination_id: number;
  mount_id: number;
  secret_path: string;
  [column: string]: unknown;
};

/** Inserts associations of the root namespace into the database. Returns their ids. */
export async function insertAssociations(db: Database, rows: AssociationColumns[]): Promise<number[]> {
  return db.transaction(async (transaction) => {
    const made: (AssociationColumns & { id: number })[] = await transaction('associations')
      .insert(rows.map((row) => ({ namespace_id: 'root', ...row })))
      .returning(['id', 'destination_id', 'mount_id', 'secret_path']);
    await transaction('association_keys').insert(
      made.map(({ id, ...key }) => ({ association_id: id, ...key })),
    );
    return made.map(({ id }) => id);
  });
}
