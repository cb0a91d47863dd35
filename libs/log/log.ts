import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * Structured JSON on standard output. Callers pass only fields that may be seen. No redaction list is needed, since
 * bodies, headers and settings are never logged.
 */
export function createLog(options: { service: string; level: string }): Log {
  return pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'message',
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describeError },
  });
}

/**
 * The loggable parts of an error: its name, its code, the table it is about, and where it was thrown. The text of a foreign error may contain
 * anything, so it is left out.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // The name of a table, which Postgres tells apart from its text.
  const table = 'table' in error && typeof error.table === 'string' ? error.table : undefined;
  // Searches from the end: the text comes before the trace and may have lines that look like it.
  const lines = (error.stack ?? '').split('\n');
  const textEnd = lines.findLastIndex((line) => !/^\s+at /.test(line));
  const trace = lines.slice(textEnd + 1);
  return { name: error.name, code, table, at: trace.slice(0, 8).map((line) => line.trim()) };
}
