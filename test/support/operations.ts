import { AUTH_TYPES } from '../../libs/store/auth/mounts.ts';
import { canonicalPath } from '../../services/api/http/canonical-path.ts';
import { findDestinationType } from '../../services/connectors/catalog.ts';

/** The operations of a document by path and verb. */
export type Verbs = Record<string, Record<string, unknown>>;

/** A path and verb of the document, and which paths of calls it means. */
export type Operation = { path: string; verb: string; expression: RegExp };

const RESERVED = /^\/(sys|auth|api|identity|users|health|docs|openapi\.json|\.well-known|cubbyhole)(\/|$)/;

// The mounts without versions, as the calls of this process made them. Nothing else tells them from the others.
const versionOne = new Set<string>();

/** The operations of the document. */
export function operationsOf(paths: Verbs): Operation[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => ({ path, verb, expression: expressionOf(path) })),
  );
}

/** The operations that a call may mean, and whether it may be about a mount; undefined for a path that is none. */
export function findOperations(
  operations: Operation[],
  { method, path: sent }: { method: string; path: string },
): { own: Operation[]; isInMount: boolean } | undefined {
  const path = routedForm(sent);
  // The pages of the console are no part of the API.
  if (path === undefined || /^\/(?:ui(?:\/|$)|$)/.test(path)) return undefined;
  const verb = method === 'LIST' || method === 'HEAD' ? 'get' : method.toLowerCase();
  const own = candidates(path, operations).filter((operation) => operation.verb === verb);
  return { own, isInMount: !RESERVED.test(path) };
}

/** Remembers a mount that the call makes or moves, if it has no versions. */
export function noteMount(path: string, body: unknown): void {
  const { type, options, from = '', to = '' } = (body ?? {}) as Record<string, unknown>;
  if (path.endsWith('/sys/remount') && versionOne.has(trimmed(String(from))))
    versionOne.add(trimmed(String(to)));
  const [, mount] = /\/sys\/mounts\/([^?]+)$/.exec(path) ?? [];
  if (mount === undefined || mount.endsWith('/tune')) return;
  const version = (options as { version?: unknown } | null | undefined)?.version;
  if (type !== 'kv-v2' && version !== 2 && version !== '2') versionOne.add(trimmed(mount));
}

function trimmed(path: string): string {
  return path.replaceAll(/^\/|\/$/g, '');
}

function routedForm(path: string): string | undefined {
  try {
    return `/${canonicalPath(path.split('?', 1)[0] ?? '')}`;
  } catch {
    return undefined;
  }
}

// The path may begin with namespaces. Among the paths of the API itself, the one with the fewest parameters is meant.
function candidates(path: string, operations: Operation[]): Operation[] {
  const inNamespace = /^\/[^/].*?(\/(?:sys|auth|identity|cubbyhole|api)\/.*)$/.exec(path)?.[1];
  const own = RESERVED.test(path) ? path : inNamespace;
  const fitting =
    own === undefined
      ? []
      : documentedPaths(own)
          .flatMap((one) => matching(one, operations))
          .filter((one) => !isInMount(one));
  const fewest = Math.min(...fitting.map(weight));
  const ofItself = fitting.filter((operation) => weight(operation) === fewest);
  if (RESERVED.test(path)) return ofItself;
  const isOfOne = [...versionOne].some((mount) => path.includes(`/${mount}/`) || path.endsWith(`/${mount}`));
  const inMounts = matching(path, operations).filter(isInMount);
  return [...ofItself, ...inMounts.filter((one) => isOfOne || !/^\/\{mount\}(\/\{path\})?$/.test(one.path))];
}

function matching(path: string, operations: Operation[]): Operation[] {
  return operations.filter(({ expression }) => expression.test(path));
}

function isInMount({ path }: Operation): boolean {
  return path.startsWith('/{mount}');
}

// Auth methods of any name stand in the document under the names of their types.
function documentedPaths(path: string): string[] {
  const [, inside] =
    /^\/auth\/(?!(?:token|session)(?:\/|$)).+?(\/(?:login|config|tidy\/secret-id|role(?:\/.*)?))$/.exec(
      path,
    ) ?? [];
  return inside === undefined ? [documentedType(path)] : AUTH_TYPES.map((type) => `/auth/${type}${inside}`);
}

// Calls about one destination stand once for each type in the document, by its own name.
function documentedType(path: string): string {
  const [, type, name] = /^\/sys\/sync\/destinations\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (type === undefined || name === undefined) return path;
  return `/sys/sync/destinations/${findDestinationType(type)?.type ?? 'cloud1-sm'}/${name}`;
}

function weight({ path }: Operation): number {
  return path.split('{').length;
}

function expressionOf(path: string): RegExp {
  const parts = path.split(/\{(\w+)\}/);
  const pattern = parts.map((part, index) =>
    index % 2 === 0
      ? part.replaceAll('.', '\\.')
      : ['mount', 'path', 'secret'].includes(part)
        ? '.+'
        : '[^/]+',
  );
  return new RegExp(`^${pattern.join('')}$`);
}
