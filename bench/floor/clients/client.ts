import { Pool } from 'undici';

/** A destination's settings; only those that are text are needed here. */
export type Settings = Record<string, string>;

/** What is written to an existing entry. */
export type Item = { name: string; reference: string | null; value: string };

/** What each client is told beside the settings: the mark that the store keeps with each entry, and the calls at once. */
export type Options = { installation: string; concurrency: number };

/** Gives existing entries of a destination other values, with the calls that Sealift makes for it. Throws for any refusal. */
export type Write = (items: Item[]) => Promise<void>;

export type Client = {
  /** How many entries go into one `Write`. */
  batchSize: number;
  /** All destinations of a client share its connections. */
  open: (settings: Settings) => Promise<Write>;
};

type Request = {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Makes a call; returns the JSON of the answer, or null where there is none. */
export type Call = (request: Request) => Promise<unknown>;

/** Kept-alive connections to one address. */
export function connect(address: string, concurrency: number): Call {
  const pool = new Pool(new URL(address).origin, { connections: concurrency });
  return async ({ body = null, ...request }) => {
    const answer = await pool.request({ ...request, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`${request.path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    return text === '' ? null : JSON.parse(text);
  };
}
