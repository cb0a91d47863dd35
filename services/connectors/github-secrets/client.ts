import { Octokit } from '@octokit/core';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { openAgent } from '../../../libs/connector/http/agent.ts';
import { asObject, type JsonObject } from '../../../libs/connector/http/json.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { apiUrl } from './api-url.ts';
import type { RepoHostSettings } from './destination.ts';
import { describeAnswer, failures } from './failures.ts';

// A version of the API that GitHub serves for years. Without it, a new version could change the answers.
const API_VERSION = '2022-11-28';
// GitHub takes at most 100 calls at a time from one user.
const MOST_CONNECTIONS = 64;

type Reply = { status: number; data: JsonObject; date: string | undefined };

type CallOptions = {
  signal: AbortSignal;
  body?: Record<string, string>;
  /** Statuses that are results; any other becomes a ConnectorError. */
  expected: number[];
};

export type Client = {
  /** The repository as people know it: `acme/web`, with its environment if one is set. */
  container: string;
  /** A path below the repository, such as `/actions/secrets/NAME`. */
  secretsPath: string;
  /** `path` is below the repository; `date` is the time of the answer by GitHub's clock. Throws ConnectorError only. */
  call: (method: 'GET' | 'PUT' | 'DELETE', path: string, options: CallOptions) => Promise<Reply>;
  close: () => void;
};

const noLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The SDK without retries. The egress guard checks its agent if the caller chose the address. */
export function createClient(settings: RepoHostSettings, context: ConnectorContext): Client {
  const { repository_owner: owner, repository_name: name, environment_name: environment } = settings;
  const baseUrl = apiUrl(settings.enterprise_url, context.environment);
  const isTrusted = settings.enterprise_url === undefined;
  const agent = openAgent(baseUrl, context, { isTrusted, maxSockets: MOST_CONNECTIONS, failures });
  const fetch = createFetch({ baseUrl, agent, timeoutMs: context.callTimeoutMs });
  const octokit = new Octokit({
    auth: settings.access_token,
    baseUrl,
    userAgent: 'sealift',
    log: noLog,
    request: { fetch, log: noLog },
  });
  const container =
    environment === undefined ? `${owner}/${name}` : `${owner}/${name} (environment ${environment})`;

  return {
    container,
    secretsPath:
      environment === undefined
        ? '/actions/secrets'
        : `/environments/${encodeURIComponent(environment)}/secrets`,
    async call(method, path, { signal, body, expected }) {
      const reply = await octokit
        .request({
          method,
          url: `/repos/${owner}/${name}${path}`,
          headers: { 'x-github-api-version': API_VERSION },
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
      throw describeAnswer(
        { status: reply.status, headers: reply.headers, text: readText(reply.data) },
        container,
      );
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
