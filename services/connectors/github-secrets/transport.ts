import { Octokit } from '@octokit/core';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { openAgent } from '../../../libs/connector/http/agent.ts';
import { asObject, type JsonObject } from '../../../libs/connector/http/json.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { apiUrl } from './api-url.ts';
import type { RepoHostSettings } from './settings.ts';
import { describeAnswer, failures } from './failures.ts';

// A version of the API that GitHub serves for years. Without it, a new version could change the answers.
const API_VERSION = '2022-11-28';
// GitHub takes at most 100 calls at a time from one user.
const MOST_CONNECTIONS = 64;

/** `date` is the time of the answer by GitHub's clock. */
export type Reply = { status: number; data: JsonObject; date: string | undefined };

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

export type CallOptions = {
  signal: AbortSignal;
  body?: Record<string, unknown>;
  /** Statuses that are results; any other becomes a ConnectorError. */
  expected: number[];
};

type SendOptions = CallOptions & {
  token: string;
  /** The name of the call in the table of failures, if its answers mean something else there. */
  operation?: string;
};

export type Transport = {
  /** Throws ConnectorError only. */
  send: (method: Method, path: string, options: SendOptions) => Promise<Reply>;
  close: () => void;
};

const noLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The SDK without retries. The egress guard checks its agent if the caller chose the address. `words`: for messages. */
export function openTransport(
  settings: RepoHostSettings,
  context: ConnectorContext,
  words: { container: string; credential: string },
): Transport {
  const baseUrl = apiUrl(settings.enterprise_url, context.environment);
  const isTrusted = settings.enterprise_url === undefined;
  const agent = openAgent(baseUrl, context, { isTrusted, maxSockets: MOST_CONNECTIONS, failures });
  const fetch = createFetch({ baseUrl, agent, timeoutMs: context.callTimeoutMs });
  const octokit = new Octokit({
    baseUrl,
    userAgent: 'sealift',
    log: noLog,
    request: { fetch, log: noLog },
  });

  return {
    async send(method, path, { token, signal, body, expected, operation }) {
      const reply = await octokit
        .request({
          method,
          url: path,
          headers: { authorization: `Bearer ${token}`, 'x-github-api-version': API_VERSION },
          request: { signal },
          ...body,
        })
        .catch((error: unknown) => {
          const answer = readAnswer(error);
          if (answer) return answer;
          throw failures.describeTransport(error) ?? error;
        });
      // Every 404 of GitHub has a message. That of a proxy says nothing about the secret.
      if (reply.status === 404 && typeof asObject(reply.data)['message'] !== 'string')
        throw failures.fail('unexpected_answer');
      if (expected.includes(reply.status)) {
        const { date } = reply.headers as Record<string, string | undefined>;
        return { status: reply.status, data: asObject(reply.data), date };
      }
      const answer = { status: reply.status, headers: reply.headers, text: readText(reply.data), operation };
      throw describeAnswer(answer, words);
    },
    close: () => void agent.destroy(),
  };
}

type Answer = { status: number; headers: Record<string, unknown>; data: unknown };

// The SDK throws for every status from 400 on. The answer is inside the error.
function readAnswer(error: unknown): Answer | undefined {
  if (!(error instanceof Error) || !('response' in error)) return undefined;
  const { response } = error;
  if (typeof response !== 'object' || response === null) return undefined;
  return 'status' in response && 'headers' in response ? (response as Answer) : undefined;
}

function readText(data: unknown): string {
  const { message, documentation_url: manual } = asObject(data);
  return `${typeof message === 'string' ? message : ''} ${typeof manual === 'string' ? manual : ''}`;
}

function ignore(): void {}
