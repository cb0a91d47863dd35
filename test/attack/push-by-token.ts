import { expect } from 'chai';
import type { Cloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Client } from '../support/client.ts';

const ROLE = 'arn:aws:iam::123456789012:role/by-token';
const AUDIENCE = 'sts.amazonaws.com';

/** Signs in with identity tokens, and is refused once. Returns the tokens, and the secrets of the session. */
export async function signInByToken(client: Client, fake: Cloud1SmFake): Promise<string[]> {
  const path = '/sys/sync/destinations/cloud1-sm/by-token';
  const settings = { role_arn: ROLE, region: 'eu-west-1', identity_token_audience: AUDIENCE };
  expect((await client.post(path, settings)).status).to.equal(200);
  const { data } = (await client.get(`${path}/identity`)).body;
  const check = async () => (await client.post(`${path}/check`)).body.data;
  fake.addRole({ arn: ROLE, trust: { issuer: data.iss, audience: AUDIENCE, subject: 'another' } });
  expect((await check()).ok).to.equal(false);
  fake.addRole({ arn: ROLE, trust: { issuer: data.iss, audience: AUDIENCE, subject: data.sub } });
  expect((await check()).ok).to.equal(true);
  expect(fake.signInSecrets()).to.have.length.above(2);
  return fake.signInSecrets();
}
