import type { Pool, PoolClient } from 'pg';
import { statements } from './statements.ts';
import type { Vault } from './vault.ts';

type Tools = { pool: Pool; vault: Vault; callWorker: (body: string) => Promise<string> };

type Request = { path: string; query: URLSearchParams; body: string };

type Route = { method: string; path: RegExp; answer: (tools: Tools, request: Request) => Promise<unknown> };

const DESTINATION = ['cloud1-sm', 'bench'];
const SECRET = '/v1/secret/data/';

/** The measured endpoints: each runs the statements that it cannot do without and answers with the rows as JSON. */
export const routes: Route[] = [
  { method: 'GET', path: /\/bench$/, answer: ({ pool }) => findDestination(pool) },
  {
    method: 'GET',
    path: /\/associations$/,
    answer: async ({ pool }, { query }) => {
      const { id } = await findDestination(pool);
      return ask(pool, 'page', [id, Number(query.get('limit'))]);
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/secret\/data\//,
    answer: async ({ pool, vault }, { path }) => {
      const [row] = await ask<Version>(pool, 'read', [path.slice(SECRET.length)]);
      if (!row) throw new Error(`nothing at ${path}`);
      const { sealed, ...metadata } = row;
      const data = JSON.parse(vault.open(sealed, identityOf(row))) as unknown;
      return { data, metadata };
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/secret\/data\//,
    answer: ({ pool, vault }, { path, body }) =>
      inTransaction(pool, async (client) => {
        const name = path.slice(SECRET.length);
        const data = JSON.stringify((JSON.parse(body) as { data: object }).data);
        const [row] = await ask<{ id: string; version: number }>(client, 'bump', [name]);
        if (!row) throw new Error('no mount');
        await ask(client, 'insert', [row.id, row.version, vault.seal(data, identityOf(row))]);
        await ask(client, 'trigger', [name]);
        await ask(client, 'audit', ['POST', path]);
        return row;
      }),
  },
  {
    method: 'POST',
    path: /\/associations\/set$/,
    answer: async ({ pool }, { path, body }) => {
      const name = (JSON.parse(body) as { secret_name: string }).secret_name;
      const id = await inTransaction(pool, async (client) => {
        const { id: destination } = await findDestination(client);
        const [row] = await ask<{ id: string }>(client, 'link', [destination, name]);
        await ask(client, 'audit', ['POST', path]);
        return row?.id;
      });
      return ask(pool, 'record', [id]);
    },
  },
  {
    method: 'PATCH',
    path: /\/general-settings$/,
    answer: async ({ pool, callWorker }, { path, body }) => {
      const { data } = JSON.parse(body) as { data: { attributes: object } };
      await ask(pool, 'audit', ['PATCH', path]);
      return JSON.parse(await callWorker(JSON.stringify(data.attributes))) as unknown;
    },
  },
];

type Version = { id: string; version: number; sealed: Buffer };

function identityOf({ id, version }: { id: string; version: number }): string {
  return `secret_versions/${id}/${version}`;
}

async function findDestination(client: Pool | PoolClient): Promise<{ id: string }> {
  const [row] = await ask<{ id: string }>(client, 'destination', DESTINATION);
  if (!row) throw new Error('no destination');
  return row;
}

/** Each connection prepares each statement once. */
async function ask<Row extends object>(
  client: Pool | PoolClient,
  name: keyof typeof statements,
  values: unknown[],
): Promise<Row[]> {
  return (await client.query<Row>({ name, text: statements[name], values })).rows;
}

async function inTransaction<Result>(
  pool: Pool,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await act(client);
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}
