import { VercelCore } from '@vercel/sdk/core.js';
import { HTTPClient } from '@vercel/sdk/lib/http.js';
import type { APIPromise } from '@vercel/sdk/types/async.js';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { tryParseJson } from '../../../libs/connector/http/json.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { keepAliveAgent } from '../../../libs/egress/agent.ts';
import { describeAnswer, failures, type Purpose } from './failures.ts';

const PUBLIC_API = 'https://api.vercel.com';
const MOST_CONNECTIONS = 64;

/** The settings that lead to a project. */
type Access = { access_token: string; project_id: string; team_id?: string };

/** What a function of the SDK takes beside its request. */
type CallOptions = { signal: AbortSignal; serverURL?: string };

type Call = {
  purpose: Purpose;
  signal: AbortSignal;
  /** Statuses that are results; any other becomes a ConnectorError. */
  expected: number[];
  invoke: (sdk: VercelCore, options: CallOptions) => APIPromise<{ ok: boolean; error?: unknown }>;
};

export type Client = {
  /** The project as people know it: `prj_1 of team_2`. */
  container: string;
  baseUrl: string;
  /** Throws ConnectorErrors only, except for bugs of our own. */
  call: (call: Call) => Promise<{ status: number; data: unknown }>;
  close: () => void;
};

/**
 * The SDK without retries. It checks answers more strictly than Vercel writes them, drops what it does not know, and holds
 * the event loop for 70 ms with a list of 1,000 rows. So it gets an empty answer, and we read the answer itself.
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
        const answer = await fetch(url, { method, headers, signal, body: sent });
        const emptied = new Response(answer.body && '{}', answer);
        texts.set(emptied, await answer.text());
        return emptied;
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
      const data = tryParseJson(texts.get(response) ?? '');
      // Even a 404 comes from Vercel only if the body is JSON.
      const isOfAnother = data === undefined && (status === 404 || expected.includes(status));
      if (isOfAnother && status !== 204) throw failures.fail('unexpected_answer');
      if (!expected.includes(status)) throw describeAnswer({ status, headers, data, purpose }, container);
      return { status, data };
    },
    close: () => void agent.destroy(),
  };
}

async function exchange(promise: ReturnType<Call['invoke']>): Promise<Response> {
  const [result, call] = await promise.$inspect();
  if (call.status === 'complete') return call.response;
  // The SDK's error about an invalid request holds the request with its value, so we do not pass it on.
  if (call.status === 'invalid') throw new Error('the SDK refused to send the request');
  throw failures.describeTransport(result.error) ?? result.error;
}
