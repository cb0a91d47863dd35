import { LocalFailure } from './failure.ts';

/** A small client of the API and of one stand-in store, for the demonstration. */
export interface DemoClient {
  /** Calls the API below `/v1/`. Returns the reply's `data`, or an empty object. Fails on an unexpected status. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The store's value of a name; undefined if it has no such entry. */
  readStore(name: string): Promise<string | undefined>;
}

/** Makes the client. Every call has a time limit of 15 s. */
export function createDemoClient(options: { url: string; token: string; storeUrl: string }): DemoClient {
  return {
    async call(method, path, body) {
      const reply = await fetch(`${options.url}/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      const text = await reply.text();
      if (!reply.ok) throw new LocalFailure(`${method} ${path} answered ${reply.status}: ${text}`);
      return toObject(toObject(text === '' ? {} : JSON.parse(text))['data']);
    },
    async readStore(name) {
      const reply = await fetch(`${options.storeUrl}/_sandbox/entries`, {
        signal: AbortSignal.timeout(15_000),
      });
      const answer: unknown = await reply.json();
      const entries = toObject(answer)['entries'];
      const entry = Array.isArray(entries)
        ? entries.map(toObject).find((one) => one['name'] === name && !one['deletedAt'])
        : undefined;
      return entry && String(entry['value']);
    },
  };
}

/** Unknown JSON as an object; an empty object if it is something else. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
