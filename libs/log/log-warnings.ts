import type { Log } from './log.ts';

const LONGEST = 1000;

/**
 * Writes the warnings of the runtime and of libraries to the log. By default they are printed as several lines that no
 * reader of the log understands.
 */
export function logWarnings(log: Log): void {
  // The printing is a listener too.
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: unknown }) => {
    const { name, code, message } = warning;
    log.warn({ warning: { name, code, text: withoutCredentials(message) } }, 'the runtime warns');
  });
}

// Some warnings repeat an address that they do not like, which may hold a password.
function withoutCredentials(text: string): string {
  return text.slice(0, LONGEST).replaceAll(/\S*:\/\/\S*@\S*/g, '*****');
}
