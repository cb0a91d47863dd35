import pg from 'pg';
import { loadConfig } from '../../libs/config/config.ts';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { createLog } from '../../libs/log/log.ts';
import { closeContext, openContext } from '../../libs/service/context.ts';

import { isConflict } from '../../libs/db/conflicts.ts';
import { isUnreachable } from '../../libs/db/unreachable.ts';
import { createRootToken } from '../../libs/store/access/root-token.ts';
import { eventually } from '../support/eventually.ts';
import type { Servers } from './servers.ts';

const QUERY_LIMIT_MS = 60_000;

/** Creates the schema, which all processes wait for. Returns a root token. */
export async function prepare(servers: Servers, environment: Record<string, string>): Promise<string> {
  const url = servers.databaseUrl();
  const db = connect({ url, poolSize: 1, name: 'faults' });
  try {
    await migrate(db);
    await db('settings').insert({
      kind: 'general',
      attributes: JSON.stringify({ 'api-rate-limiting-enabled': false }),
    });
  } finally {
    await db.destroy();
  }
  const config = loadConfig({ ...environment, DATABASE_URL: url, LOG_LEVEL: 'silent' });
  const log = createLog({ service: 'faults', level: 'silent' });
  const context = await openContext({ config, log, name: 'faults' });
  try {
    return await createRootToken(context.db, context.installation.hashKey);
  } finally {
    await closeContext(context);
  }
}

/**
 * Runs statements directly on the database, not through the proxies, as soon as that is possible. Returns the rows of the
 * last one. An error of a statement itself is thrown at once.
 */
export async function query<Row extends object>(servers: Servers, statements: string): Promise<Row[]> {
  const { rows, error } = await eventually(() => attempt(servers, statements), {
    limitMs: QUERY_LIMIT_MS,
    everyMs: 100,
  });
  if (error) throw error;
  return rows as Row[];
}

// An error is returned if trying again cannot help.
async function attempt(servers: Servers, statements: string): Promise<{ rows: object[]; error?: unknown }> {
  const client = new pg.Client({
    connectionString: servers.databaseUrl(),
    connectionTimeoutMillis: 3000,
    // A fault may have made sessions read-only. This session must be able to take that back.
    options: '-c default_transaction_read_only=off',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The driver returns an array of results if there are several statements.
    const results = [await client.query<object>(statements)].flat();
    return { rows: results.at(-1)?.rows ?? [] };
  } catch (error) {
    // A statement that changes several tables may meet a deadlock with the processes.
    if (isUnreachable(error) || isConflict(error)) throw error;
    return { rows: [], error };
  } finally {
    await client.end().catch(() => undefined);
  }
}
