import { describeRefusal } from '../db/refusals.ts';
import { outcomeUnknown } from '../errors/request-error.ts';
import type { CommandHandler } from '../queue/commands.ts';

/**
 * Wraps handlers so that they refuse with 503 if the database cannot do now what they need; the caller may try again. The
 * text says that the outcome is unknown, because Postgres may have committed the change before the connection broke.
 */
export function mapDatabaseErrors(handlers: Record<string, CommandHandler>): Record<string, CommandHandler> {
  const entries = Object.entries(handlers).map(([name, handle]): [string, CommandHandler] => [
    name,
    async (body) => {
      try {
        return await handle(body);
      } catch (error) {
        const refusal = describeRefusal(error);
        throw refusal ? outcomeUnknown(`${refusal.detail} (${refusal.code})`) : error;
      }
    },
  ]);
  return Object.fromEntries(entries);
}
