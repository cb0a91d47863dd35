import { serveCalls } from './commands.ts';
import { sayReady, surroundings } from './surroundings.ts';

// The floor of the settings worker: only the statements of a change.
const { pool, commands } = surroundings;
const FIND = `SELECT attributes, revision FROM settings WHERE kind = 'general'`;
const STORE = `
UPDATE settings SET attributes = $1, revision = revision + 1, updated_at = now() WHERE kind = 'general' AND revision = $2`;

await serveCalls(commands, async (body) => {
  const { rows } = await pool.query<{ attributes: object; revision: string }>({ name: 'find', text: FIND });
  const attributes = JSON.stringify({ ...rows[0]?.attributes, ...(JSON.parse(body) as object) });
  await pool.query({ name: 'store', text: STORE, values: [attributes, rows[0]?.revision] });
  return attributes;
});
sayReady();
