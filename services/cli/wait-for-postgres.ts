import pRetry from 'p-retry';
import type { Database } from '../../libs/db/connect.ts';
import { CommandError } from './exit-codes.ts';

const WAIT = { retries: Infinity, maxRetryTime: 60_000, minTimeout: 500, factor: 1 };

/** Returns when Postgres answers. Throws after 60 s, or at once if waiting does not help. */
export async function waitForPostgres(db: Database): Promise<void> {
  const shouldRetry = ({ error }: { error: Error }): boolean => isPassing(error);
  const reason = await pRetry(() => db.raw('SELECT 1'), { ...WAIT, shouldRetry }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (reason === undefined) return;
  if (!isPassing(reason)) throw new Error(`Postgres refuses the connection: ${describe(reason)}`);
  throw new CommandError('unreachable', `Postgres does not answer (60 s): ${describe(reason)}`);
}

// False for a wrong password, role or database: waiting does not help.
function isPassing(error: unknown): boolean {
  return !/^(28...|3D000)$/.test(codeOf(error));
}

// The text of a driver's error could contain the connection URL; its code cannot.
function describe(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? error.name : 'unknown error');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
