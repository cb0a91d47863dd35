import { isJsonObject, parseLossless, stringifyLossless } from '../../../libs/validation/lossless.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { refuseForeign } from './foreign-answer.ts';
import type { ClientSettings } from './settings.ts';

const LIMIT_MS = 60_000;
const LONGEST_TEXT = 500;

export type Fields = Record<string, unknown>;

/**
 * An answer of the API: `data`, `auth` or `wrap_info` of its envelope, its warnings, and the revision of what it shows,
 * if there is one. Numbers keep every digit.
 */
export type Answer = { status: number; data: Fields; warnings: string[]; revision: string | undefined };

/** Calls the API. The path starts after `/v1/` and is already encoded. Throws CommandError if the API refuses. */
export type Client = {
  call: (method: string, path: string, body?: Fields, headers?: Record<string, string>) => Promise<Answer>;
  /** The same, but undefined if the API answers with 404. */
  find: (method: string, path: string) => Promise<Answer | undefined>;
};

/** Sends `LIST` as the equivalent `GET ?list=true`: the runtime's client does not know that method. */
export function createClient(settings: ClientSettings): Client {
  const call: Client['call'] = async (method, path, body, headers = {}) => {
    const response = await send(settings, method, path, { body, headers });
    const text = await response.text().catch(() => {
      throw new CommandError(
        'unreachable',
        `the connection to ${settings.url} broke before the answer was complete`,
      );
    });
    const answer = parse(text);
    refuseForeign(settings, { status: response.status, text, answer });
    if (!response.ok) throw refusal(response.status, { path, answer }, settings);
    const data = [answer['data'], answer['auth'], answer['wrap_info']].find(isJsonObject) ?? {};
    return {
      status: response.status,
      data,
      warnings: texts(answer['warnings']),
      revision: response.headers.get('etag')?.replaceAll('"', ''),
    };
  };
  return {
    call,
    find: async (method, path) => {
      try {
        return await call(method, path);
      } catch (error) {
        if (error instanceof CommandError && error.exitCode === exitCodes.notFound) return undefined;
        throw error;
      }
    },
  };
}

/** Joins segments to a path. Encodes each segment, and leaves out empty ones. */
export function encodePath(...parts: string[]): string {
  return parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .map(encodeURIComponent)
    .join('/');
}

async function send(
  settings: ClientSettings,
  method: string,
  path: string,
  { body, headers }: { body: Fields | undefined; headers: Record<string, string> },
): Promise<Response> {
  const isList = method === 'LIST';
  const separator = path.includes('?') ? '&' : '?';
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  try {
    return await fetch(`${settings.url}/v1/${path}${isList ? `${separator}list=true` : ''}`, {
      method: isList ? 'GET' : method,
      headers: {
        ...(settings.token ? { authorization: `Bearer ${settings.token}` } : {}),
        ...(settings.namespace ? { 'x-namespace': settings.namespace } : {}),
        ...(body ? { 'content-type': type } : {}),
        ...headers,
      },
      ...(body ? { body: stringifyLossless(body) } : {}),
      // The token must not go to any other address.
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
  } catch (error) {
    throw new CommandError('unreachable', `${settings.url} cannot be reached: ${reasonOf(error)}`);
  }
}

function refusal(
  status: number,
  { path, answer }: { path: string; answer: Fields },
  { url, token, namespace }: ClientSettings,
): CommandError {
  const said = texts(answer['errors']).join('; ').slice(0, LONGEST_TEXT);
  if (status === 404)
    return new CommandError('notFound', said || `not found: ${path.split('?', 1).join('')}`);
  if (status === 401 || status === 403) {
    // An unknown token and an unknown namespace are refused in the same words, so that nobody learns which there are.
    const place = namespace ? `in the namespace ${namespace}, if there is one` : 'to do this';
    const isBare = said === '' || said === 'permission denied';
    if (isBare && token === '')
      return new CommandError(
        'denied',
        'permission denied: no auth method of this name lets you in from this address',
      );
    return new CommandError(
      'denied',
      isBare ? `permission denied: the token is unknown or expired, or lacks the right ${place}` : said,
    );
  }
  if (status === 502 || status === 503 || status === 504) {
    return new CommandError('unreachable', said || `${url} answered with status ${status}`);
  }
  return new CommandError('failed', said || `${url} answered with status ${status}`);
}

function parse(text: string): Fields {
  try {
    const answer: unknown = text === '' ? {} : parseLossless(text);
    return isJsonObject(answer) ? answer : {};
  } catch {
    return {};
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    : [];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return `no answer within ${LIMIT_MS / 1000} s`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause
    ? String(cause.code)
    : cause instanceof Error
      ? cause.message
      : error.name;
}
