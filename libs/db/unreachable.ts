/** Whether an error means that Postgres cannot work now: connection refused or cut, pool exhausted, starting, stopping, read-only, out of disk or connections, or a transaction ended for our silence. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError') return true;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|08...|53...|57P0.|25006|25P03)$/.test(code))
    return true;
  // Knex puts the statement before the text.
  return (
    code === '' &&
    /(?:^| - )(?:Connection terminated|timeout expired|Client (?:has encountered a connection error|was closed))/.test(
      error.message,
    )
  );
}
