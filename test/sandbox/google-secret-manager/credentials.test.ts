import { generateKeyPairSync, sign } from 'node:crypto';
import { SecretManagerServiceClient } from '@google-cloud/secret-manager';
import { expect } from 'chai';
import { type Cloud3SmFake, startCloud3SmFake } from './fake.ts';

type Key = { private_key: string; private_key_id: string; client_email: string; project_id: string };

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('credentials at the fake of Google', () => {
  let fake: Cloud3SmFake;
  let key: Key;

  before(async () => {
    fake = await startCloud3SmFake();
    key = JSON.parse(fake.createKey()) as Key;
    fake.plant({ name: 'entry', value: 'mine' });
  });
  after(() => fake.close());

  async function readBySdk(credentials: Key): Promise<string> {
    const { hostname, port } = new URL(fake.url);
    const client = new SecretManagerServiceClient({
      credentials,
      fallback: true,
      protocol: 'http',
      apiEndpoint: hostname,
      port: Number(port),
      scopes: ['https://www.googleapis.com/auth/cloud-platform'],
    });
    try {
      const name = `projects/${credentials.project_id}/secrets/entry/versions/latest`;
      const [{ payload }] = await client.accessSecretVersion({ name });
      return Buffer.from(payload?.data ?? '').toString();
    } catch (error) {
      return /UNAUTHENTICATED|invalid authentication credentials/.exec(String(error))?.[0] ?? String(error);
    } finally {
      await client.close();
    }
  }

  function tokenOf(claims: object = {}, head: object = {}): string {
    const now = Math.floor(Date.now() / 1000);
    const { client_email: email, private_key_id: kid, private_key: privateKey } = key;
    const audience = 'https://secretmanager.googleapis.com/';
    const body = { iss: email, sub: email, aud: audience, iat: now, exp: now + 600, ...claims };
    const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid, ...head })}.${encode(body)}`;
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  async function statusOf(token: string): Promise<number> {
    const url = `${fake.url}/v1/projects/${key.project_id}/secrets/entry`;
    return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
  }

  it('the SDK is let in with a key that was handed out only', async () => {
    expect(await readBySdk(key)).to.equal('mine');
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const refused = /UNAUTHENTICATED|invalid authentication credentials/;
    expect(await readBySdk({ ...key, private_key: privateKey })).to.match(refused);
    expect(await readBySdk({ ...key, private_key_id: 'never-handed-out' })).to.match(refused);
    expect(await readBySdk({ ...key, client_email: 'other@example.com' })).to.match(refused);
  });

  it('a token is taken where it is signed, meant for the service, and good now', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await statusOf(tokenOf())).to.equal(200);
    const [head, body, signature] = tokenOf().split('.');
    const other = encode({ ...JSON.parse(Buffer.from(body ?? '', 'base64url').toString()), exp: now + 660 });
    const bad = [
      `${head}.${other}.${signature}`,
      `${head}.${body}.`,
      'never-given-out',
      tokenOf({}, { alg: 'none' }),
      tokenOf({}, { kid: 'another' }),
      tokenOf({ aud: 'https://storage.googleapis.com/' }),
      tokenOf({ iss: 'other@example.com' }),
      tokenOf({ iat: now - 7200, exp: now - 3600 }),
      tokenOf({ iat: now + 600, exp: now + 900 }),
      tokenOf({ exp: now + 7200 }),
      tokenOf({ exp: undefined }),
    ];
    expect(await Promise.all(bad.map(statusOf))).to.deep.equal(bad.map(() => 401));
  });

  it('a key can be taken later only', async () => {
    const later = JSON.parse(fake.createKey()) as Key;
    fake.acceptAfter(later.private_key_id, 60_000);
    expect(await readBySdk(later)).to.not.equal('mine');
    expect(await readBySdk(key)).to.equal('mine');
  });
});
