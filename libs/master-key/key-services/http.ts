import { ConfigError } from '../../config/config.ts';
import { keepAliveAgent } from '../../egress/agent.ts';
import { exchange } from '../../egress/exchange.ts';
import { KeyServiceError } from './failure.ts';

/** A complete answer; a body that is not a JSON object becomes an empty object. */
export type KeyServiceAnswer = { status: number; body: Record<string, unknown> };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
// The caller's signal ends the call earlier.
const LIMIT_MS = 60_000;

/** Checks the address of a key service in a setting; returns it without a slash at the end. Throws ConfigError. */
export function requireAddress(setting: string, address: string): string {
  if (!URL.canParse(address))
    throw new ConfigError([`${setting} must be the address of the key service that wraps the master key`]);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)))
    return address.replace(/\/+$/, '');
  throw new ConfigError([
    `${setting} must begin with https://, or name this host: otherwise the master key would travel unencrypted`,
  ]);
}

/** Sends one POST over its own connection; does not follow redirects. Throws KeyServiceError if no answer comes. */
export async function postJson(
  url: string,
  body: object,
  {
    headers,
    signal,
    ca,
  }: { headers: Record<string, string>; signal: AbortSignal; ca?: string[] | undefined },
): Promise<KeyServiceAnswer> {
  const { origin, pathname } = new URL(url);
  const agent = keepAliveAgent(origin, {}, { maxSockets: 1, ...(ca && { ca }) });
  const sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal,
  };
  try {
    const answer = await exchange({ origin, path: pathname }, sent, { agent, timeoutMs: LIMIT_MS });
    return { status: answer.status, body: parseObject(answer.body.toString()) };
  } catch (error) {
    const { code } = error as { code?: string };
    throw new KeyServiceError('unreachable', { code: code ?? '' });
  } finally {
    void agent.destroy();
  }
}

/** Decodes a base64 field. Throws KeyServiceError if it is missing. */
export function bytesOf(value: unknown): Buffer {
  if (typeof value !== 'string') throw new KeyServiceError('unexpected');
  return Buffer.from(value, 'base64');
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
