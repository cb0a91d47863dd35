import { randomBytes } from 'node:crypto';
import type { FakeReply, Refusal } from '../fake-server.ts';
import type { Fault } from './rules.ts';
import type { Content, Variable } from './store.ts';

/** A refusal in the vendor's form. */
export function fault(status: number, code: string, message: string, more: object = {}): FakeReply {
  return { status, body: { error: { code, message, ...more } } };
}

// The vendor answers an unknown token with "forbidden", not with "unauthenticated".
export const invalidToken = () => fault(403, 'forbidden', 'Not authorized', { invalidToken: true });
export const forbidden = () => fault(403, 'forbidden', "You don't have permission to access this resource.");
export const noSuchEndpoint = () => fault(404, 'not_found', 'The requested endpoint does not exist.');
export const projectNotFound = () => fault(404, 'not_found', 'Project not found.');
export const variableNotFound = (id: string) =>
  fault(404, 'NOT_FOUND', `The Environment Variable "${id}" was not found.`);

export function otherTeam(scope: string): FakeReply {
  const message = `Not authorized: Trying to access resource under scope "${scope}". You must re-authenticate to this scope or use a token with access to this scope.`;
  return fault(403, 'forbidden', message, { saml: true, teamId: null, scope, enforced: false });
}

export function conflict({ key, target, gitBranch }: Content): Fault & Record<string, unknown> {
  const message = `A variable with the name \`${key}\` already exists for the target ${target.join(',')} on branch ${gitBranch ?? 'undefined'}`;
  return {
    code: 'ENV_CONFLICT',
    message,
    envVarKey: key,
    target,
    ...(gitBranch === null ? {} : { gitBranch }),
  };
}

/** A row as calls about one row return it. */
export function present(variable: Variable, decrypted: boolean): object {
  const { gitBranch, customEnvironmentIds, comment, writes: _writes, ...rest } = variable;
  return {
    ...rest,
    value: variable.type === 'sensitive' ? '' : decrypted ? variable.value : conceal(variable),
    ...(decrypted ? { decrypted: variable.type === 'encrypted' } : {}),
    ...(gitBranch === null ? {} : { gitBranch }),
    ...(customEnvironmentIds.length > 0 ? { customEnvironmentIds } : {}),
    ...(comment === '' ? {} : { comment }),
    configurationId: null,
    createdBy: 'user_1',
    updatedBy: null,
  };
}

/** Turns the base's refusal into the vendor's reply. With the code `retry-after`, a limit also has that header. */
export function writeRefusal({ kind, status, code, retryAfterSeconds }: Refusal): FakeReply {
  if (kind === 'revoked') return invalidToken();
  const after: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (kind === 'error')
    return {
      ...fault(status ?? 500, code ?? 'internal_server_error', 'An unexpected error'),
      headers: after,
    };
  const now = new Date();
  const reset = Math.floor(now.getTime() / 1000) + (retryAfterSeconds ?? 60);
  const limit = { total: 60, remaining: 0, reset };
  const name = 'api-projects-environment-variable-create';
  const reply = fault(status ?? 429, 'rate_limited', 'Too many requests', { name, limit });
  return {
    ...reply,
    headers: {
      // Clients compute the wait relative to this clock.
      date: now.toUTCString(),
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(reset),
      ...(code === 'retry-after' ? after : {}),
    },
  };
}

/** Adds the request id for the vendor's support. */
export function withRequestId(reply: FakeReply): FakeReply {
  const id = `fra1::iad1::${randomBytes(3).toString('hex')}-${Date.now()}-${randomBytes(6).toString('hex')}`;
  return { ...reply, headers: { 'x-vercel-id': id, ...reply.headers } };
}

function conceal({ type, value }: Variable): string {
  return type === 'encrypted' ? `eyJ2IjoidjIi${Buffer.from(value).toString('base64')}` : value;
}
