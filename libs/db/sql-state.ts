export const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const TOO_MANY_CONNECTIONS = '53300';
// Another transaction locked a row for longer than the statement may wait.
export const LOCK_NOT_AVAILABLE = '55P03';

/** What `pg_control_system` and its like answer without the permission, or on a kind of Postgres that lacks them. */
export const NOT_TOLD = [INSUFFICIENT_PRIVILEGE, '42883', '0A000', '55000'];

/** Whether Postgres refused a statement with one of these codes (SQLSTATE). */
export function isSqlState(error: unknown, ...states: string[]): boolean {
  return error instanceof Error && 'code' in error && states.includes(String(error.code));
}
