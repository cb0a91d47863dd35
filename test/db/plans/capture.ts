import pg from 'pg';

/** A statement that the service sent, with the values of some of its calls. */
export type Captured = { text: string; calls: unknown[][] };

type Sent = { text?: unknown; values?: unknown };

const READS_OR_WRITES = /^\s*(?:select|insert|update|delete|with)\b/i;
// The values of the first calls are often those of an empty start.
const KEPT_CALLS = 3;

/** Collects what this process sends to Postgres while `action` runs. */
export async function capture(action: () => Promise<void>): Promise<Captured[]> {
  const seen = new Map<string, unknown[][]>();
  const { prototype } = pg.Client as unknown as { prototype: { query: (...given: unknown[]) => unknown } };
  const { query } = prototype;
  prototype.query = function note(this: unknown, ...given: unknown[]): unknown {
    const [first, second] = given;
    const { text, values = second } = (typeof first === 'string' ? { text: first } : first) as Sent;
    if (typeof text === 'string' && READS_OR_WRITES.test(text))
      seen.set(text, [...(seen.get(text) ?? []), Array.isArray(values) ? values : []].slice(-KEPT_CALLS));
    return query.apply(this, given);
  };
  try {
    await action();
  } finally {
    prototype.query = query;
  }
  return [...seen].map(([text, calls]) => ({ text, calls }));
}
