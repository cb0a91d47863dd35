import { VercelCore } from '@vercel/sdk/core.js';
import { HTTPClient } from '@vercel/sdk/lib/http.js';
import type { APIPromise } from '@vercel/sdk/types/async.js';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { parseJson } from '../../../libs/connector/http/json.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { keepAliveAgent } from '../../../libs/egress/agent.ts';
import { describeAnswer, failures, type Purpose } from './failures.ts';

const PUBLIC_API = 'https://api.vercel.com';
const MOST_CONNECTIONS = 64;

/** The settings that lead to a project. */
type Access = { access_token: string; project_id: string; team_id?: string };

/** What a function of the SDK takes besides its request. */
type CallOptions = { signal: AbortSignal; serverURL?: string };

type Call = {
  purpose: Purpose;
  signal: AbortSignal;
  /** Statuses that are results; any other is thrown as a ConnectorError. */
  expected: number[];
  invoke: (sdk: VercelCore, options: CallOptions) => APIPromise<{ ok: boolean; error?: unknown }>;
};

export type Client = {
  /** The project for people: `prj_1 of team_2`. */
  container: string;
  baseUrl: string;
  /** Throws ConnectorErrors only, but for faults of our own. */
  call: (call: Call) => Promise<{ status: number; data: unknown }>;
  close: () => void;
};

/**
 * The SDK without retries. It checks answers more strictly than its vendor gives them and drops what it does not know, so
 * the answer itself is read, never what the SDK makes of it.
 */
export function createClient(settings: Access, context: ConnectorContext): Client {
  const baseUrl = context.environment('HOSTING_PROJECT_API_URL') ?? PUBLIC_API;
  const agent = keepAliveAgent(baseUrl, context, { maxSockets: MOST_CONNECTIONS });
  const fetch = createFetch({ baseUrl, agent, timeoutMs: context.callTimeoutMs });
  const texts = new WeakMap<Response, string>();
  const sdk = new VercelCore({
    bearerToken: settings.access_token,
    serverURL: baseUrl,
    userAgent: 'sealift',
    retryConfig: { strategy: 'none' },
    httpClient: new HTTPClient({
      fetcher: async (input) => {
        const { url, method, headers, signal, body } = input instanceof Request ? input : new Request(input);
        const sent = body === null ? null : await new Response(body).text();
        const response = await fetch(url, { method, headers, signal, body: sent });
        texts.set(response, await response.clone().text());
        return response;
      },
    }),
  });
  const container = settings.team_id ? `${settings.project_id} of ${settings.team_id}` : settings.project_id;

  return {
    container,
    baseUrl,
    async call({ purpose, signal, expected, invoke }) {
      const response = await exchange(invoke(sdk, { signal }));
      const { status, headers } = response;
      const data = parseJson(texts.get(response) ?? '');
      if (!expected.includes(status)) throw describeAnswer({ status, headers, data, purpose }, container);
      // Also a 404 is the store's own only where it says so in its own form.
      if (status !== 204 && data === undefined) throw failures.fail('unexpected_answer');
      return { status, data };
    },
    close: () => void agent.destroy(),
  };
}

async function exchange(promise: ReturnType<Call['invoke']>): Promise<Response> {
  const [result, call] = await promise.$inspect().catch((error: unknown) => {
    // It could not even parse the answer.
    throw error instanceof SyntaxError ? failures.fail('unexpected_answer') : error;
  });
  if (call.status === 'complete') return call.response;
  // What it says of a request that it refuses holds the request, value and all.
  if (call.status === 'invalid') throw new Error('the SDK refused to send the request');
  throw failures.describeTransport(result.error) ?? result.error;
}
