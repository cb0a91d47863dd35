import pRetry from 'p-retry';
import { ping, type Database } from '../../libs/db/connect.ts';
import { describeRefusal, sentenceOf } from '../../libs/db/refusals.ts';
import { isUnreachable } from '../../libs/db/unreachable.ts';
import { CommandError } from './exit-codes.ts';

const WAIT = { retries: Infinity, maxRetryTime: 60_000, minTimeout: 500, factor: 1 };

/** Returns when Postgres answers. Throws after 60 s, or at once if waiting does not help. */
export async function waitForPostgres(db: Database): Promise<void> {
  const shouldRetry = ({ error }: { error: Error }): boolean => isUnreachable(error);
  const reason = await pRetry(() => ping(db), { ...WAIT, shouldRetry }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (reason === undefined) return;
  // A wrong password, role or database, or a missing right: waiting does not help.
  if (!isUnreachable(reason)) throw new Error(`Postgres refuses the connection: ${describe(reason)}`);
  throw new CommandError('unreachable', `Postgres does not answer (60 s): ${describe(reason)}`);
}

// The text of a driver's error could contain the connection URL; its code cannot.
function describe(error: unknown): string {
  const refusal = describeRefusal(error);
  if (refusal) return `${sentenceOf(refusal)}: ${refusal.advice}`;
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error ? String(error.code) : error.name;
}
