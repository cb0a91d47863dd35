import { stringify } from 'lossless-json';
import type { Call } from './curl.ts';
import { ApiFailure, readProblems } from './failure.ts';
import { isInUse } from './in-use.ts';
import { rightsOf, type Right } from './right.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Options = {
  body?: unknown;
  headers?: Record<string, string>;
  /** The page itself makes the call, so the call does not keep the session alive. Nor does a read while nobody uses the page. */
  background?: boolean;
  /** A namespace below the page's own; null: none, whatever the page shows. */
  namespace?: string | null;
  /** What the API asks for, unless it is the right of the method on the path. */
  rights?: Right[] | undefined;
  signal?: AbortSignal | undefined;
};

export type Answer<Data> = { status: number; data: Data; etag: string | null };

const UNANSWERED = 'The service did not answer. The change may have been applied. Check before trying again.';

// Belongs to this page only, and is gone when the page is closed.
const state = { csrf: '', home: '', chosen: '' };
const refusalListeners = new Set<() => void>();

/** Sets the CSRF token that the page sends from now on. */
export function setCredentials(csrf: string): void {
  state.csrf = csrf;
}

/** Sets the namespace of the caller's token. Calls go to it unless another one is chosen. */
export function setHomeNamespace(path: string): void {
  state.home = path;
}

/** Sets the namespace that calls go to from now on; empty: the token's own. */
export function chooseNamespace(path: string): void {
  state.chosen = path;
}

/** The namespace that calls go to, as a path without slashes at its ends; empty: the root. */
export function currentNamespace(): string {
  return state.chosen || state.home;
}

/** Whether that is the namespace of the caller's token. */
export function isAtHome(): boolean {
  return currentNamespace() === state.home;
}

/** The namespace that calls go to, seen from that of the caller's token, whose policies write paths so. */
export function namespaceFromHome(): string {
  return currentNamespace().slice(state.home.length).replace(/^\//, '');
}

/** The path of the namespace of the caller's token; empty: root. */
export function homeNamespace(): string {
  return state.home;
}

/** Calls `listener` on refusals that may mean that the session has ended. Returns the undo. */
export function onRefusal(listener: () => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

/** Calls the API below `/v1`, or `/api/v2`; throws ApiFailure. */
export async function call<Data>(method: Method, path: string, options: Options = {}): Promise<Answer<Data>> {
  const response = await send(method, path, options);
  const text = await response.text().catch(() => '');
  const body = parse(text);
  if (response.ok || response.status === 304) {
    return { status: response.status, data: body as Data, etag: response.headers.get('etag') };
  }
  throw refusalOf(response, body, { ...options, method, path });
}

/** Reads a file of any type; throws ApiFailure. */
export async function readFile(path: string): Promise<Blob> {
  const response = await send('GET', path, {});
  if (response.ok) return response.blob();
  throw refusalOf(response, parse(await response.text()), { method: 'GET', path });
}

function refusalOf(
  { status, headers }: Response,
  body: unknown,
  request: Options & { method: Method; path: string },
): ApiFailure {
  if (status === 401 || status === 403) for (const listener of refusalListeners) listener();
  return new ApiFailure({
    status,
    problems: readProblems(status, body),
    requestId: headers.get('x-request-id') ?? '',
    retryAfter: Number(headers.get('retry-after')) || null,
    rights: mayLackRight(status, request.path) ? rightsOf(request) : [],
  });
}

// Site administration answers 404 to a caller without a right, so that the caller does not learn what exists.
function mayLackRight(status: number, path: string): boolean {
  return status === 403 || (status === 404 && path.startsWith('/api/'));
}

/** The `data` of the envelope. */
export async function read<Data>(path: string, options: Options = {}): Promise<Data> {
  const { data } = await call<{ data: Data }>('GET', path, options);
  return data.data;
}

/** The same, but returns `empty` if the API says that there is nothing. */
export async function readList<Data>(path: string, empty: Data, options: Options = {}): Promise<Data> {
  try {
    const headers = { ...options.headers, 'Sealift-Empty': '204' };
    const { status, data } = await call<{ data: Data }>('GET', path, { ...options, headers });
    return status === 204 ? empty : data.data;
  } catch (error) {
    // During an upgrade, an API of the version before does not know the header.
    if (error instanceof ApiFailure && error.status === 404) return empty;
    throw error;
  }
}

/** Headers for a create. The API refuses it with 412 if the thing exists already. */
export const IF_ABSENT = { 'If-None-Match': '*' };

/** Headers for a change. The API refuses it with 412 if the thing has another revision. */
export const ifRevision = (revision: string): Record<string, string> => ({ 'If-Match': `"${revision}"` });

// Site administration has the warnings in `meta`.
type Envelope<Data> = { data: Data; warnings?: string[] | null; meta?: { warnings?: string[] } };

type Warned<Data> = { data: Data; warnings: string[] };

/** The `data` of the answer to a call that changes nothing. */
export async function ask<Data>(question: Call): Promise<Data> {
  return (await askWarned<Data>(question)).data;
}

async function askWarned<Data>({ method, path, ...options }: Call): Promise<Warned<Data>> {
  const { data: answer } = await call<Envelope<Data> | undefined>(method, path, options);
  return { data: answer?.data as Data, warnings: answer?.warnings ?? answer?.meta?.warnings ?? [] };
}

/** Makes a change with a call that the page also offers as curl. Returns the `data` of the answer. */
export async function carryOut<Data>(change: Call): Promise<Data> {
  return (await carryOutWarned<Data>(change)).data;
}

/** The same, with what the API warns of. */
export async function carryOutWarned<Data>(change: Call): Promise<Warned<Data>> {
  try {
    return await askWarned<Data>(change);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 0) throw error;
    throw error.withProblems([{ detail: UNANSWERED }]);
  }
}

/** A path made of names. Each name may contain anything. */
export function pathOf(...segments: string[]): string {
  return segments.map((segment) => segment.split('/').map(encodeURIComponent).join('/')).join('/');
}

// The session belongs to the token, whatever namespace the page shows.
function namespaceOf(path: string, { namespace = '' }: Options): string {
  if (namespace === null || /^auth\/session(?:\/(?:saml|methods))?$/.test(path)) return '';
  return [currentNamespace(), namespace].filter(Boolean).join('/');
}

async function send(method: Method, path: string, options: Options): Promise<Response> {
  const isAdmin = path.startsWith('/api/');
  const address = isAdmin ? path : `/v1/${path}`;
  const namespace = isAdmin ? '' : namespaceOf(path, options);
  try {
    return await fetch(address, {
      method,
      ...(options.body === undefined ? {} : { body: stringify(options.body) ?? '' }),
      ...(options.signal ? { signal: options.signal } : {}),
      cache: 'no-store',
      credentials: 'same-origin',
      headers: {
        'Content-Type': isAdmin ? 'application/vnd.api+json' : 'application/json',
        ...(state.csrf === '' ? {} : { 'X-Sealift-CSRF': state.csrf }),
        ...(namespace === '' ? {} : { 'X-Namespace': namespace }),
        ...(options.background || (method === 'GET' && !isInUse()) ? { 'Sealift-Background': '1' } : {}),
        ...options.headers,
      },
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiFailure({ status: 0, problems: [{ detail: 'The service cannot be reached.' }] });
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
