import { readJson, type FakeReply, type FakeRequest } from '../fake-server.ts';
import { fault, notFound } from './replies.ts';
import { writeSecret, type Readers, type Scope, type Secret } from './store.ts';

const MOST_BYTES = 48 * 1024;
const NAME = /^(?!GITHUB_)[A-Z_][A-Z0-9_]*$/;

/** The public key that clients must seal values with. */
export function readPublicKey(scope: Scope): FakeReply {
  return { status: 200, body: { key_id: scope.key.id, key: scope.key.publicKey } };
}

/** The metadata of a secret, never its value. With `stale`, the state before the last write. */
export function readSecret(scope: Scope, name: string, stale: boolean): FakeReply {
  const secret = scope.secrets.get(name);
  if (!secret) return notFound();
  if (!stale) return { status: 200, body: present(name, secret) };
  if (!secret.updatedBefore) return notFound();
  return { status: 200, body: present(name, { ...secret, updatedAt: secret.updatedBefore }) };
}

/** One page of the secrets, sorted by name. `Link` has the addresses of the other pages. */
export function listSecrets(scope: Scope, request: FakeRequest): FakeReply {
  const size = Math.min(100, Math.max(1, Number(request.query.get('per_page')) || 30));
  const page = Math.max(1, Number(request.query.get('page')) || 1);
  const all = [...scope.secrets].sort(([one], [other]) => (one < other ? -1 : 1));
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (target: number, rel: string) =>
    `<http://${request.headers.host}${request.path}?per_page=${size}&page=${target}>; rel="${rel}"`;
  const headers: Record<string, string> =
    page < last ? { link: `${link(page + 1, 'next')}, ${link(last, 'last')}` } : {};
  const secrets = all.slice((page - 1) * size, page * size).map(([name, secret]) => present(name, secret));
  return { status: 200, headers, body: { total_count: all.length, secrets } };
}

/** 201 if created, 204 if replaced; 422 if the store refuses the name, the key or the value. */
export function putSecret(scope: Scope, name: string, request: FakeRequest): FakeReply {
  const { key_id: keyId, encrypted_value: sealed } = readJson(request);
  if (!NAME.test(name) || name.length > 255) return fault(422, 'Secret name is invalid');
  if (keyId === undefined) return fault(422, 'Invalid request.\n\n"key_id" wasn\'t supplied.');
  if (typeof sealed !== 'string')
    return fault(422, 'Invalid request.\n\n"encrypted_value" wasn\'t supplied.');
  const value = keyId === scope.key.id ? scope.key.open(sealed) : null;
  if (value === null) {
    return fault(422, 'Bad request - validation failed due to an improperly encrypted secret');
  }
  if (Buffer.byteLength(value) > MOST_BYTES) return fault(422, 'Value is too large');
  if (!scope.secrets.has(name) && scope.secrets.size >= scope.most) {
    return fault(422, `Cannot hold more than ${scope.most} secrets`);
  }
  const readers = scope.isOfOrganization ? readReaders(request) : undefined;
  if (readers === null) return fault(422, 'Invalid request.\n\n"visibility" wasn\'t supplied.');
  return writeSecret(scope, name, value, readers) ? { status: 201, body: {} } : { status: 204 };
}

// A list that is not sent empties the one that was there.
function readReaders(request: FakeRequest): Readers | null {
  const { visibility, selected_repository_ids: ids = [] } = readJson(request);
  if (typeof visibility !== 'string' || !['all', 'private', 'selected'].includes(visibility)) return null;
  return { visibility, repositoryIds: visibility === 'selected' ? (ids as number[]) : [] };
}

/** 204 if deleted, 404 if there was none. */
export function deleteSecret(scope: Scope, name: string): FakeReply {
  return scope.secrets.delete(name) ? { status: 204 } : notFound();
}

function present(name: string, secret: Secret): object {
  return { name, created_at: instant(secret.createdAt), updated_at: instant(secret.updatedAt) };
}

function instant(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
