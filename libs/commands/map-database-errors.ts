import { describeRefusal } from '../db/refusals.ts';
import { outcomeUnknown } from '../errors/request-error.ts';

type Handlers = Record<string, (body: never) => Promise<unknown>>;

/**
 * Wraps handlers so that they refuse with 503 if the database cannot do now what they need; the caller may try again. The
 * text says that the outcome is unknown, because Postgres may have committed the change before the connection broke.
 */
export function mapDatabaseErrors<Wrapped extends Handlers>(handlers: Wrapped): Wrapped {
  const entries = Object.entries(handlers).map(([name, handle]) => [
    name,
    async (body: never) => {
      try {
        return await handle(body);
      } catch (error) {
        const refusal = describeRefusal(error);
        throw refusal ? outcomeUnknown(`${refusal.detail} (${refusal.code})`) : error;
      }
    },
  ]);
  return Object.fromEntries(entries) as Wrapped;
}
