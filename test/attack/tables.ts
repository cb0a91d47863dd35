import type { Database } from '../../libs/db/connect.ts';

/** All values of all columns of all tables, as bytes, each with its place. */
export async function* readColumns(db: Database): AsyncGenerator<{ place: string; bytes: Buffer }> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of rows) {
    const content = await db.raw<{ rows: Record<string, unknown>[] }>(`select * from ${name}`);
    for (const row of content.rows) {
      for (const [column, value] of Object.entries(row)) {
        if (value === null) continue;
        const bytes = Buffer.isBuffer(value)
          ? value
          : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
        yield { place: `${name}.${column}`, bytes };
      }
    }
  }
}
