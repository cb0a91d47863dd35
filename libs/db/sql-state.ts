export const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';
export const INSUFFICIENT_PRIVILEGE = '42501';
// Another transaction locked a row for longer than the statement may wait.
export const LOCK_NOT_AVAILABLE = '55P03';

/** Whether Postgres refused a statement with one of these codes (SQLSTATE). */
export function isSqlState(error: unknown, ...states: string[]): boolean {
  return error instanceof Error && 'code' in error && states.includes(String(error.code));
}
