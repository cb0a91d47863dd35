import { NoPrimaryError } from './failover/no-primary-error.ts';

// What the system says where a host, its network or its name server is away.
const NO_WAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whether an error means that Postgres cannot work now: no way to its host, no primary among them, connection refused or cut, pool exhausted, starting, stopping, read-only, out of disk or connections, or a transaction ended for our silence. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError' || error instanceof NoPrimaryError) return true;
  const code = 'code' in error ? String(error.code) : '';
  if (NO_WAY.has(code) || /^(08...|53...|57P0.|25006|25P03)$/.test(code)) return true;
  // Knex puts the statement before the text.
  return (
    code === '' &&
    /(?:^| - )(?:Connection terminated|timeout expired|Client (?:has encountered a connection error|was closed))/.test(
      error.message,
    )
  );
}
