import { NoPrimaryError } from './failover/no-primary-error.ts';
import { namelessCode } from './nameless-errors.ts';

// System errors for an unreachable host, network or name server.
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

/**
 * Whether an error means that Postgres cannot work now: host unreachable, no primary, connection refused or lost, pool
 * exhausted, starting, stopping, read-only, out of disk or connections, or a transaction ended because we were idle for
 * too long.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError' || error instanceof NoPrimaryError) return true;
  const code = 'code' in error ? String(error.code) : '';
  if (NO_WAY.has(code) || /^(08...|53...|57P0.|25006|25P03)$/.test(code)) return true;
  return code === '' && NO_WAY.has(namelessCode(error));
}
