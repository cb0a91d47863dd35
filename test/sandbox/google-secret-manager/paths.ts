import type { FakeRequest } from '../fake-server.ts';

/** The parts of a call's path. */
export type Route = {
  /** `unknown` for operations that the fake does not have. */
  operation: string;
  project: string;
  secret: string | null;
  version: string | null;
};

const PROJECT = '/v1/projects/(?<project>[^/]+)';
const SECRET = `${PROJECT}/secrets/(?<secret>[^/:]+)`;
const VERSION = `${SECRET}/versions/(?<version>[^/:]+)`;

type Pattern = [method: string, path: string, operation: string];

const PATTERNS: Pattern[] = [
  ['POST', `${PROJECT}/secrets`, 'CreateSecret'],
  ['GET', `${PROJECT}/secrets`, 'ListSecrets'],
  ['GET', SECRET, 'GetSecret'],
  ['PATCH', SECRET, 'UpdateSecret'],
  ['DELETE', SECRET, 'DeleteSecret'],
  ['POST', `${SECRET}:addVersion`, 'AddSecretVersion'],
  ['GET', `${SECRET}/versions`, 'ListSecretVersions'],
  ['GET', VERSION, 'GetSecretVersion'],
  ['GET', `${VERSION}:access`, 'AccessSecretVersion'],
  ['POST', `${VERSION}:enable`, 'EnableSecretVersion'],
  ['POST', `${VERSION}:disable`, 'DisableSecretVersion'],
  ['POST', `${VERSION}:destroy`, 'DestroySecretVersion'],
  ['POST', `${PROJECT}/serviceAccounts/[^/]+/keys`, 'CreateServiceAccountKey'],
  ['POST', `${PROJECT}/serviceAccounts/[^/]+:generateAccessToken`, 'GenerateAccessToken'],
  ['POST', '/v1/token', 'ExchangeToken'],
];

const routes = PATTERNS.map(([method, path, operation]) => ({
  method,
  expression: new RegExp(`^${path}$`),
  operation,
}));

/** Finds the operation of a request. */
export function routeOf({ method, path }: FakeRequest): Route {
  for (const { method: wanted, expression, operation } of routes) {
    const match = method === wanted ? expression.exec(path) : null;
    if (!match) continue;
    const { project = '', secret, version } = match.groups ?? {};
    return { operation, project: decode(project), secret: decode(secret), version: decode(version) };
  }
  return { operation: 'unknown', project: '', secret: null, version: null };
}

function decode(text: string): string;
function decode(text: string | undefined): string | null;
function decode(text: string | undefined): string | null {
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
