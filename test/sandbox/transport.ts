import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FakeReply, FakeRequest } from './contract.ts';

// Uses events: async iteration over a stream takes as long as the store's own work for a call.
function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    message.once('error', reject);
  });
}

/** Reads a whole request. Rejects if the client disconnects first. */
export async function readRequest(message: IncomingMessage): Promise<FakeRequest> {
  const body = await readBody(message);
  const url = message.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers: message.headers,
    body,
  };
}

// Both the naming and the execution of a call need the body, so it is parsed once.
const parsedBodies = new WeakMap<FakeRequest, Record<string, unknown>>();

function parseBody(request: FakeRequest): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(request.body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The body as a JSON object (or list); an empty object for anything else. */
export function readJson(request: FakeRequest): Record<string, unknown> {
  const known = parsedBodies.get(request);
  if (known) return known;
  const body = parseBody(request);
  parsedBodies.set(request, body);
  return body;
}

/** Sends a reply. A client that has disconnected causes no error. */
export function sendReply(response: ServerResponse, reply: FakeReply): void {
  if (response.destroyed) return;
  const isJson = typeof reply.body === 'object';
  const text = isJson ? JSON.stringify(reply.body) : ((reply.body as string | undefined) ?? '');
  const headers: Record<string, string | number> = isJson
    ? { 'content-type': 'application/json', ...reply.headers }
    : { ...reply.headers };
  if (reply.status !== 204 && reply.status !== 304) headers['content-length'] = Buffer.byteLength(text);
  response.writeHead(reply.status, headers);
  response.end(text);
}
