import { LocalFailure } from './failure.ts';

/** A small client of the API and of one stand-in store, as the demonstration needs them. */
export interface DemoClient {
  /** Calls the API below `/v1/`; the reply's `data`, or an empty object. Fails on a status other than those expected. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** What the store holds under a name; undefined where it has no such entry. */
  readStore(name: string): Promise<string | undefined>;
}

/** Makes the client; every call has a limit of 15 s. */
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

/** An object out of unknown JSON; an empty one where it is something else. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
