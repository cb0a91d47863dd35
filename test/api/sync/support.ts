import { expect } from 'chai';
import type { Answer, CallOptions, Client } from '../../support/client.ts';

/** Settings of a repository that is never called: no worker runs in these tests. */
export const repository = {
  access_token: 'ghp_verysecret',
  repository_owner: 'acme',
  repository_name: 'web',
};

/** Answers at once: no worker runs that could bring a first outcome. */
export const noWait: CallOptions = { headers: { prefer: 'respond-async' } };

/** The path of a destination. */
export function destinationPath(name: string, type = 'cloud1-sm'): string {
  return `/v1/sys/sync/destinations/${type}/${name}`;
}

/** Creates or replaces a destination. Returns what it then reads back as. */
export async function create(client: Client, path: string, body: object = {}, options?: CallOptions) {
  return expectOk(await client.post(path, body, options));
}

/** Writes a secret into a KV version 2 mount. */
export async function putSecret(
  client: Client,
  path: string,
  data: object = { user: 'x' },
  mount = 'secret',
  options?: CallOptions,
): Promise<void> {
  expectOk(await client.post(`/v1/${mount}/data/${path}`, { data }, options));
}

/** Associates a secret without waiting for the outcome. */
export async function set(
  client: Client,
  destination: string,
  secret: string,
  options: CallOptions & { mount?: string } = {},
): Promise<Answer> {
  const { mount = 'secret', ...rest } = options;
  const body = { mount, secret_name: secret };
  return client.post(`${destination}/associations/set`, body, { ...noWait, ...rest });
}

/** The data of an answer, which must be a 200. */
export function expectOk(answer: Answer) {
  expect(answer.status, answer.text).to.equal(200);
  return answer.body.data;
}

/** The first error of an answer, which must have the given status. */
export function expectRefused(answer: Answer, status: number): string {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.body.errors).to.be.an('array');
  return answer.body.errors.join('; ');
}

/** The association records of an answer, in its order. */
export function recordsOf(answer: Answer): Record<string, unknown>[] {
  return Object.values(expectOk(answer).associated_secrets);
}
