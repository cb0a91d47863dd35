/** The first migration of the versions before 0.2.0, which had other migrations than every later version. */
export const FIRST_FORMER_STEP = '001-access';

/** The database belongs to a version before 0.2.0: no later version can work with its schema, nor bring it up to date. */
export class FormerSchemaError extends Error {
  constructor() {
    super(
      'the database was made by a version before 0.2.0, and no later version can upgrade it: let DATABASE_URL name a new, empty database, and carry the secrets over with `sealift kv export` and `sealift kv import`, as docs/upgrade.md describes',
    );
    this.name = 'FormerSchemaError';
  }
}
