import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { allowInsecureRequests, discovery } from 'openid-client';
import { createNamespace } from '../../libs/store/access/namespaces.ts';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { startApi } from '../../services/api/start.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { tokenWith, type Resource } from './policy-engine-versions/support.ts';

const ROTATE = '/api/v2/admin/oidc-settings/actions/rotate-key';
const TRIM = '/api/v2/admin/oidc-settings/actions/trim-key';
const TOKEN = '/v1/identity/oidc/token';

describe('the issuer of workload tokens', () => {
  let sealift: Sealift;
  let issuer: string;
  before(async () => {
    const port = await findFreePort();
    issuer = `http://127.0.0.1:${port}`;
    sealift = await startSealift({
      environment: { PORT: String(port), PUBLIC_URL: `${issuer}/` },
      workers: { 'key-maintenance': startKeyMaintenance },
    });
  });
  after(() => sealift.stop());

  const keys = async (url = issuer): Promise<{ kid: string }[]> => {
    const answer = await createClient(url, '').get('/.well-known/jwks', { token: null });
    expect(answer.status).to.equal(200);
    return answer.body.keys;
  };
  const kids = async (url?: string) => (await keys(url)).map((key) => key.kid);
  const issue = async (body: unknown = {}): Promise<string> => {
    const answer = await sealift.client.post(TOKEN, body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.token;
  };
  const act = async (path: string) => {
    const answer = await sealift.client.post(path);
    expect(answer.status, answer.text).to.equal(204);
    expect(answer.text).to.equal('');
  };

  it('an OIDC client discovers it, fetches its keys and verifies a token', async () => {
    const client = await discovery(new URL(issuer), 'relying-party', undefined, undefined, {
      execute: [allowInsecureRequests],
    });
    const { issuer: discovered, jwks_uri: jwksUri = '' } = client.serverMetadata();
    expect(discovered).to.equal(issuer);
    const token = await issue({ audience: 'sts.amazonaws.com', ttl: '15m' });
    const verified = await jwtVerify(token, createRemoteJWKSet(new URL(jwksUri)), {
      issuer: discovered,
      audience: 'sts.amazonaws.com',
      algorithms: ['RS256'],
    });
    const { payload, protectedHeader } = verified;
    expect(protectedHeader).to.include({ alg: 'RS256', typ: 'JWT' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).to.equal(900);
    expect(payload.nbf).to.equal(payload.iat);
    expect(payload.jti).to.match(/^[0-9a-f-]{36}$/);
  });

  it('the key set shows public halves only', async () => {
    for (const key of await keys()) {
      expect(key).to.include({ kty: 'RSA', use: 'sig', alg: 'RS256', e: 'AQAB' });
      expect(Object.keys(key).toSorted()).to.deep.equal(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(key.kid).to.match(/^[\w-]{43}$/);
    }
  });

  it('the key set is the same under the name that some clients ask for', async () => {
    const answer = await sealift.client.get('/.well-known/jwks.json', { token: null });
    expect(answer.body).to.deep.equal({ keys: await keys() });
  });

  it('private halves are sealed in the database', async () => {
    await keys();
    const rows = await sealift.context.db('oidc_keys').select('*');
    expect(rows).to.have.length.above(0);
    for (const row of rows) {
      const sealed: Buffer = row.sealed_private_jwk;
      expect(sealed.includes('"d"')).to.equal(false);
      expect(JSON.stringify(row.public_jwk)).to.not.include('"d"');
    }
  });

  it('the subject names namespace and caller, and cannot be chosen by who makes tokens', async () => {
    await createNamespace(sealift.context.db, 'team');
    const namespace = await createNamespace(sealift.context.db, 'team/a');
    await sealift.context.db('policies').insert({
      namespace_id: namespace.id,
      name: 'workload',
      document: { path: { 'identity/oidc/token': { capabilities: ['update'] } } },
      source: '{}',
    });
    const secret = await tokenWith(sealift, ['workload'], namespace.id);
    const answer = await sealift.client.post(TOKEN, {}, { token: secret, namespace: 'team/a' });
    expect(answer.status, answer.text).to.equal(200);
    const claims = decodeJwt(answer.body.data.token);
    const accessor = claims['sealift_accessor'];
    expect(accessor).to.match(/^\w{24}$/);
    expect(claims.sub).to.equal(`namespace:team/a:caller:workload:${String(accessor)}`);
    expect(claims).to.include({ sealift_namespace: 'team/a', sealift_caller: 'workload' });
    expect(decodeJwt(await issue()).sub).to.match(/^namespace:root:caller:root:/);
  });

  it('the audience is configurable, several are a list, and by default it is the issuer', async () => {
    expect(decodeJwt(await issue()).aud).to.equal(issuer);
    expect(decodeJwt(await issue({ audience: 'a,b' })).aud).to.deep.equal(['a', 'b']);
    expect(decodeJwt(await issue({ audience: ['only'] })).aud).to.equal('only');
  });

  it('a workload token lives an hour by default, 24 at most, and not longer than its token', async () => {
    const lifetime = (token: string) => {
      const { exp = 0, iat = 0 } = decodeJwt(token);
      return exp - iat;
    };
    expect(lifetime(await issue())).to.equal(3600);
    expect(lifetime(await issue({ ttl: '24h' }))).to.equal(86_400);
    expect(lifetime(await issue({ ttl: 60 }))).to.equal(60);
    for (const ttl of ['24h1s', 86_401, 0, '-1h', 'soon']) {
      expect((await sealift.client.post(TOKEN, { ttl })).status, String(ttl)).to.equal(400);
    }
    const short = await tokenWith(sealift, ['root']);
    await sealift.context
      .db('tokens')
      .whereRaw('id = (SELECT max(id) FROM tokens)')
      .update({ expires_at: new Date(Date.now() + 100_000) });
    const child = await sealift.client.post('/v1/auth/token/create', { ttl: '24h' }, { token: short });
    for (const token of [short, child.body.auth.client_token]) {
      const answer = await sealift.client.post(TOKEN, { ttl: '12h' }, { token });
      expect(lifetime(answer.body.data.token)).to.be.within(80, 100);
    }
  });

  it('only callers whose policies allow it get a token', async () => {
    const weak = await tokenWith(sealift, ['default']);
    expect((await sealift.client.post(TOKEN, {}, { token: weak })).status).to.equal(403);
    expect((await sealift.client.post(TOKEN, {}, { token: null })).status).to.equal(403);
  });

  it('a rotation adds a key that every replica shows and signs with as soon as it has answered', async () => {
    const second = (await sealift.start('api-2', (context) =>
      startApi({ ...context, config: { ...context.config, PORT: 0 } }),
    )) as { port: number; stop: () => Promise<void> };
    const before = await kids();
    await act(ROTATE);
    const now = await kids(`http://127.0.0.1:${second.port}`);
    expect(now).to.have.length(before.length + 1);
    expect(now.slice(1)).to.deep.equal(before);
    expect(decodeProtectedHeader(await issue()).kid).to.equal(now[0]);
    await second.stop();
  });

  it('a trim leaves one key, and tokens of trimmed keys verify no more', async () => {
    const old = await issue();
    const before = await kids();
    await act(ROTATE);
    const jwks = { keys: await keys() } as Parameters<typeof createLocalJWKSet>[0];
    await jwtVerify(old, createLocalJWKSet(jwks), { issuer });
    await act(TRIM);
    const left = await kids();
    expect(left).to.have.length(1);
    expect(before).to.not.include(left[0]);
    const trimmed = { keys: await keys() } as Parameters<typeof createLocalJWKSet>[0];
    const refusal = await jwtVerify(old, createLocalJWKSet(trimmed), { issuer }).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.include({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    await jwtVerify(await issue(), createLocalJWKSet(trimmed), { issuer });
  });

  it('the keys are listed with what signs now, and until when tokens of the others can be valid', async () => {
    await act(TRIM);
    const old = await kids();
    await act(ROTATE);
    const { body } = await sealift.client.get('/api/v2/admin/oidc-settings/signing-keys');
    const [signs, former] = body.data.map((key: Resource) => key.attributes);
    expect(body.data.map(({ id }: Resource) => id)).to.deep.equal(await kids());
    expect(body.data[1].id).to.equal(old[0]);
    expect(signs).to.include({ 'replaced-at': null, 'last-token-ends-at': null });
    expect(former['replaced-at']).to.equal(signs['created-at']);
    const hours = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000;
    expect(hours(former['replaced-at'], former['last-token-ends-at'])).to.equal(24);
    expect(hours(signs['created-at'], body.meta['rotates-at'])).to.equal(90 * 24);
    expect(hours(signs['created-at'], body.meta['trims-at'])).to.equal(30 * 24);
    const weak = await tokenWith(sealift, ['default']);
    const refused = await sealift.client.get('/api/v2/admin/oidc-settings/signing-keys', { token: weak });
    expect(refused.status).to.equal(404);
  });

  it('a trim with one key changes nothing', async () => {
    await act(TRIM);
    const before = await kids();
    await act(TRIM);
    expect(await kids()).to.deep.equal(before);
  });

  it('rotations at the same moment each add a key', async () => {
    const before = await kids();
    await Promise.all(Array.from({ length: 4 }, () => act(ROTATE)));
    const now = await kids();
    expect(now).to.have.length(before.length + 4);
    expect(new Set(now).size).to.equal(now.length);
  });

  it('the actions take an empty body and a document, and refuse anything else', async () => {
    for (const path of [ROTATE, TRIM]) {
      for (const raw of ['{}', '{"data":{"type":"x","attributes":{}}}', '{"data":null}']) {
        expect((await sealift.client.post(path, undefined, { raw })).status, raw).to.equal(204);
      }
      for (const raw of ['{', '[]', '"x"', '{"data":5}']) {
        const answer = await sealift.client.post(path, undefined, { raw });
        expect(answer.status, raw).to.equal(422);
        expect(answer.body.errors[0].status).to.equal('422');
      }
      const typed = await sealift.client.post(path, undefined, {
        raw: '{}',
        headers: { 'content-type': 'text/plain' },
      });
      expect(typed.status).to.equal(415);
    }
  });

  it('the actions are a 401 without a token and a 404 without rights', async () => {
    const weak = await tokenWith(sealift, ['default']);
    const nowhere = await sealift.client.post('/api/v2/admin/nothing', {}, { token: weak });
    const before = await kids();
    for (const path of [ROTATE, TRIM]) {
      expect((await sealift.client.post(path, undefined, { token: null })).status).to.equal(401);
      const refused = await sealift.client.post(path, undefined, { token: weak });
      expect(refused.status).to.equal(404);
      expect(refused.text).to.equal(nowhere.text);
    }
    expect(await kids()).to.deep.equal(before);
  });

  it('an action leaves entries of who asked and what the worker did, under one request id', async () => {
    const headers = { 'x-request-id': 'rotation-1' };
    expect((await sealift.client.post(ROTATE, undefined, { headers })).status).to.equal(204);
    const [newest] = await kids();
    const entries = await eventually(async () => {
      const { body } = await sealift.client.get('/api/v2/admin/audit-events?filter[request-id]=rotation-1');
      return body.data.length === 2 ? body.data : undefined;
    });
    const [worker, caller] = entries.map((entry: Resource) => entry.attributes);
    expect(caller).to.include({ action: `POST ${ROTATE}`, outcome: 'succeeded', status: 204, actor: 'root' });
    expect(worker).to.include({ action: 'command rotate-key', outcome: 'succeeded', accessor: null });
    expect(worker.detail).to.deep.equal({ added: newest });
  });
});

describe('the signing key without a worker', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('the first signing key is made once, by whichever replica needs it first', async () => {
    const replicas = await Promise.all(
      ['a', 'b', 'c'].map(
        async (name) => (await sealift.start(name, startApi)) as unknown as { port: number },
      ),
    );
    const answers = await Promise.all(
      replicas.map(({ port }) => createClient(`http://127.0.0.1:${port}`, '').get('/.well-known/jwks')),
    );
    const kids = answers.map((answer) => answer.body.keys.map((key: { kid: string }) => key.kid).join());
    expect(new Set(kids).size).to.equal(1);
    expect(answers[0]?.body.keys).to.have.length(1);
  });

  for (const path of [ROTATE, TRIM]) {
    it(`the action ${path.split('/').at(-1) ?? ''} without a worker is 503 and changes nothing`, async () => {
      const before = await sealift.client.get('/.well-known/jwks');
      const started = Date.now();
      const answer = await sealift.client.post(path);
      expect(answer.status).to.equal(503);
      expect(Date.now() - started).to.be.below(5000);
      expect(Number(answer.headers['retry-after'])).to.be.above(0);
      expect((await sealift.client.get('/.well-known/jwks')).text).to.equal(before.text);
    });
  }
});

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
