import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import { TOKEN_TUNING } from '../../presenters/auth-method.ts';
import { endpoint, isThere, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { readObject } from '../../routing/read-object.ts';
import { authTuningAnswer } from '../../contract/mounts.ts';

/** The tuning of tokens, which is fixed. */
export const tokenMethodEndpoints: Endpoint[] = [
  '/sys/auth/token/tune',
  '/sys/mounts/auth/token/tune',
].flatMap(tuning);

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
