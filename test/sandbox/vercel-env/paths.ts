import type { FakeRequest } from '../fake-server.ts';

/** A call of the vendor's API, with the parts of its path. */
export type Route = { operation: string; project: string; team: string; variable: string | null };

// Each call has its own versions. A version that is not served is an unknown address.
const OPERATIONS: [method: string, path: RegExp, operation: string][] = [
  ['GET', /^\/v9\/projects\/([^/]+)$/, 'getProject'],
  ['GET', /^\/v(?:8|9|10)\/projects\/([^/]+)\/env$/, 'listEnv'],
  ['POST', /^\/v(?:9|10)\/projects\/([^/]+)\/env$/, 'createEnv'],
  ['GET', /^\/v1\/projects\/([^/]+)\/env\/([^/]+)$/, 'getEnv'],
  ['PATCH', /^\/v9\/projects\/([^/]+)\/env\/([^/]+)$/, 'editEnv'],
  ['DELETE', /^\/v9\/projects\/([^/]+)\/env\/([^/]+)$/, 'removeEnv'],
];

export const WRITES = new Set(['createEnv', 'upsertEnv', 'editEnv', 'removeEnv']);

/** Finds the operation, or `unknown`. A POST with `upsert=true` is `upsertEnv`. */
export function findRoute({ method, path, query }: FakeRequest): Route {
  const team = query.get('teamId') ?? '';
  for (const [wanted, pattern, operation] of OPERATIONS) {
    const [, project = '', variable] = (method === wanted && pattern.exec(path)) || [];
    if (project === '') continue;
    const isUpsert = operation === 'createEnv' && query.get('upsert') === 'true';
    return {
      operation: isUpsert ? 'upsertEnv' : operation,
      project: decode(project),
      team,
      variable: variable === undefined ? null : decode(variable),
    };
  }
  return { operation: 'unknown', project: '', team, variable: null };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
