import { Type } from 'typebox';
import { badRequest, unsupportedOperation } from '../../../../libs/errors/request-error.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import { presentTokenMethod, TOKEN_TUNING } from '../../presenters/auth-method.ts';
import { endpoint, isThere, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { readObject } from '../../routing/read-object.ts';
import { authMethodAnswer, authMethodsAnswer, authTuningAnswer } from '../../contract/mounts.ts';

const PREFIX = 'sys/auth/';

const typeBody = Type.Object({
  type: Type.Optional(
    Type.String({
      description: 'Type of the auth method. Every type is refused: only tokens are supported.',
    }),
  ),
  description: Type.Optional(Type.Unknown()),
  config: Type.Optional(Type.Unknown()),
  options: Type.Optional(Type.Unknown()),
});

/** Auth methods: callers authenticate with tokens, and with nothing else. */
export const authMethodEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/auth',
    access: 'policy',
    summary: 'List the auth methods of a namespace; `token` is the only one',
    answers: { 200: { data: authMethodsAnswer } },
    handle: async ({ namespace }) => ok({ 'token/': presentTokenMethod(namespace) }),
  }),
  ...['/sys/auth/token/tune', '/sys/mounts/auth/token/tune'].flatMap(tuning),
  endpoint({
    method: 'GET',
    path: '/sys/auth/*path',
    access: 'policy',
    summary: 'Read an auth method',
    answers: { 200: { data: authMethodAnswer } },
    handle: async ({ namespace, path }) => {
      const rest = path.slice(PREFIX.length);
      if (rest !== 'token') throw badRequest(`No auth engine at ${rest}/`);
      return ok(presentTokenMethod(namespace));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/sys/auth/*path',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Refuse to enable an auth method; only tokens are supported',
    answers: {},
    body: typeBody,
    handle: async ({ body, path }) => {
      const type = (body.type || path.slice(PREFIX.length)).slice(0, 60);
      throw badRequest(`the auth method ${JSON.stringify(type)} is not supported: only tokens are`);
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/sys/auth/*path',
    access: 'policy',
    summary: 'Disable an auth method; succeeds without effect, but `token` itself is refused',
    answers: { 204: {} },
    handle: async ({ path }) => {
      if (path.endsWith('/tune')) throw unsupportedOperation('GET, POST, PUT');
      if (path === `${PREFIX}token`) throw badRequest('token credential backend cannot be disabled');
      return noContent();
    },
  }),
];

function tuning(path: string): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path,
      access: 'policy',
      summary: 'Read the tuning of the token auth method',
      answers: { 200: { data: authTuningAnswer } },
      handle: async () => ok({ ...TOKEN_TUNING, description: 'token based credentials' }),
    }),
    endpoint({
      method: 'POST',
      path,
      alsoMethods: ['PUT'],
      access: 'policy',
      summary: 'Accept a tuning of the token auth method that changes nothing; any change is refused',
      answers: { 204: {} },
      exists: isThere,
      describedBody: Type.Object({}, { additionalProperties: true }),
      handle: async ({ rawBody }) => {
        const changed = Object.entries(readObject(rawBody)).filter(([name, value]) => !isAsItIs(name, value));
        if (changed.length === 0) return noContent();
        const names = changed.map(([name]) => name).join(', ');
        throw badRequest(`${names.slice(0, 200)} of tokens cannot be tuned: give each token its own ttl`);
      },
    }),
  ];
}

// A client that sends what it has read, or nothing, changes nothing.
function isAsItIs(name: string, value: unknown): boolean {
  if (value === null || value === '') return true;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const fixed = Object.hasOwn(TOKEN_TUNING, name)
    ? TOKEN_TUNING[name as keyof typeof TOKEN_TUNING]
    : undefined;
  return text === String(fixed) || (typeof fixed === 'number' && parseDuration(text) === fixed);
}
