import type { FakeRequest } from '../fake-server.ts';

const SERVICES = ['actions', 'dependabot', 'codespaces'] as const;

/** What reads the secrets. */
export type Service = (typeof SERVICES)[number];

/** The meaning of an API path. */
export type Route = {
  operation: string;
  owner: string;
  repository: string;
  environment: string | null;
  /** Instead of owner and repository. */
  organization: string | null;
  service: Service;
  /** As the client wrote it; the store converts it to upper case. */
  secret: string | null;
  /** The installation that an app wants a token for. */
  installation: string;
};

const NOWHERE: Route = {
  operation: 'unknown',
  owner: '',
  repository: '',
  environment: null,
  organization: null,
  service: 'actions',
  secret: null,
  installation: '',
};

/** Finds the operation of a request, on github.com's paths or on an enterprise server's (`/api/v3`). */
export function findRoute(request: FakeRequest): Route {
  const path = request.path.replace(/^\/api\/v3(?=\/)/, '');
  const segments = path.split('/').slice(1).map(decode);
  if (request.method === 'GET' && path === '/user') return { ...NOWHERE, operation: 'getUser' };
  if (request.method === 'GET' && path === '/rate_limit') return { ...NOWHERE, operation: 'getRateLimit' };
  const [, installation] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? [];
  if (request.method === 'POST' && installation) return { ...NOWHERE, operation: 'signIn', installation };
  const [first, organization] = segments;
  if (first === 'orgs' && organization) {
    const ofOrganization = { ...NOWHERE, organization };
    return findOperation(request.method, ofOrganization, segments.slice(2), 'getOrganization');
  }
  const [repos, owner, repository, ...rest] = segments;
  if (repos !== 'repos' || !owner || !repository) return NOWHERE;

  const place = { ...NOWHERE, owner, repository };
  const ofEnvironment = rest[0] === 'environments' && rest[2] === 'secrets' && rest[1];
  if (ofEnvironment)
    return findSecret(request.method, { ...place, environment: ofEnvironment }, rest.slice(3));
  return findOperation(request.method, place, rest, 'getRepository');
}

function findOperation(method: string, place: Route, rest: string[], read: string): Route {
  if (rest.length === 0) return { ...place, operation: method === 'GET' ? read : 'unknown' };
  const service = SERVICES.find((one) => one === rest[0]);
  if (service && rest[1] === 'secrets') return findSecret(method, { ...place, service }, rest.slice(2));
  return place;
}

function findSecret(method: string, place: Route, rest: string[]): Route {
  const [secret] = rest;
  if (rest.length > 1) return place;
  if (!secret) return method === 'GET' ? { ...place, operation: 'listSecrets' } : place;
  if (method === 'GET' && secret === 'public-key') return { ...place, operation: 'getPublicKey' };
  const operation = { GET: 'getSecret', PUT: 'putSecret', DELETE: 'deleteSecret' }[method];
  return operation ? { ...place, operation, secret } : place;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
