import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createToken } from '../../../libs/store/access/tokens.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, entryOf, named } from './support.ts';

describe('who acts in the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { TRUST_PROXY: '1' } });
  });
  after(() => sealift.stop());

  const makeToken = async (body: object, token?: string) => {
    const made = await sealift.client.post('/v1/auth/token/create', body, token ? { token } : {});
    expect(made.status, made.text).to.equal(200);
    return made.body.auth as { client_token: string; accessor: string };
  };
  const write = (requestId: string, options: { token?: string; headers?: Record<string, string> } = {}) =>
    sealift.client.post(
      '/v1/secret/data/who',
      { data: { a: 1 } },
      { ...options, ...named(requestId, options.headers) },
    );

  it('an entry names the accessor, the policies, and a token as the way in', async () => {
    const { client_token: token, accessor } = await makeToken({ policies: ['root'], display_name: 'deploy' });
    await write('who-1', { token });
    expect(await entryOf(sealift, 'who-1')).to.deep.include({
      accessor,
      actor: 'token-deploy',
      user: null,
      'auth-method': 'token',
      policies: ['root'],
      secret: 'secret/who',
    });
  });

  it('an entry tells what a browser session does apart from what its token does', async () => {
    const begun = await sealift.client.post('/v1/auth/session', undefined, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const [cookie = ''] = [begun.headers['set-cookie'] ?? ''].flat();
    const headers = {
      ...named('who-2').headers,
      cookie: cookie.split(';', 1)[0] ?? '',
      'x-sealift-csrf': begun.body.data.csrf,
      'sec-fetch-site': 'same-origin',
    };
    const answer = await sealift.client.post(
      '/v1/secret/data/who',
      { data: { a: 2 } },
      { token: null, headers },
    );
    expect(answer.status, answer.text).to.equal(200);
    expect(await entryOf(sealift, 'who-2')).to.deep.include({ 'auth-method': 'session', actor: 'root' });
  });

  it('a token that a person made names the person, and chosen metadata and names do not', async () => {
    const { db, installation } = sealift.context;
    const { secret } = await createToken(db, installation.hashKey, {
      namespaceId: 'root',
      parentId: null,
      displayName: 'saml-ada',
      policies: ['root'],
      renewable: false,
      ttlSeconds: 600,
      explicitMaxTtlSeconds: 600,
    });
    const child = await makeToken({ policies: ['root'] }, secret);
    await write('who-3', { token: child.client_token });
    expect(await entryOf(sealift, 'who-3')).to.deep.include({ user: 'ada', 'auth-method': 'token' });
    const forged = await makeToken({
      policies: ['root'],
      display_name: 'saml-ada',
      meta: { username: 'ada' },
    });
    await write('who-4', { token: forged.client_token });
    expect(await entryOf(sealift, 'who-4')).to.include({ user: null });
  });

  it('the address is the one that the trusted proxy saw, and nothing that is no address', async () => {
    await write('from-1', { headers: { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' } });
    expect(await entryOf(sealift, 'from-1')).to.include({ address: '192.0.2.1' });
    await write('from-2', { headers: { 'x-forwarded-for': '::FFFF:192.0.2.2' } });
    expect(await entryOf(sealift, 'from-2')).to.include({ address: '192.0.2.2' });
    await write('from-3', { headers: { 'x-forwarded-for': 'CaNaRy-not-an-address' } });
    expect(await entryOf(sealift, 'from-3')).to.include({ address: '127.0.0.1' });
    await write('from-4');
    expect(await entryOf(sealift, 'from-4')).to.include({ address: '127.0.0.1' });
  });

  it('a wrapped answer can be followed through each of its tokens', async () => {
    await sealift.client.post('/v1/secret/data/chain', { data: { a: 1 } });
    const wrap = { headers: { 'x-vault-wrap-ttl': '60' } };
    const first = (await sealift.client.get('/v1/secret/data/chain', wrap)).body.wrap_info;
    const holder = (token: string, id: string) => ({ token, ...named(id) });
    await sealift.client.post('/v1/sys/wrapping/lookup', {}, holder(first.token, 'chain-1'));
    const again = await sealift.client.post('/v1/sys/wrapping/rewrap', {}, holder(first.token, 'chain-2'));
    const second = again.body.wrap_info;
    await sealift.client.post('/v1/sys/wrapping/unwrap', {}, holder(second.token, 'chain-3'));
    const detailOf = async (id: string) => {
      const { detail, secret, 'auth-method': method } = await entryOf(sealift, id);
      expect([secret, method]).to.deep.equal(['secret/chain', 'wrapping']);
      return detail;
    };
    expect(await detailOf('chain-1')).to.deep.equal({ wrapping_accessor: first.accessor });
    expect(await detailOf('chain-2')).to.deep.equal({
      former_accessor: first.accessor,
      wrapping_accessor: second.accessor,
    });
    expect(await detailOf('chain-3')).to.deep.equal({ wrapping_accessor: second.accessor });
  });

  it('the entry of a fetched wrapped answer names its token, and wrong tokens are only counted', async () => {
    await sealift.client.post('/v1/secret/data/wrapped', { data: { a: 1 } });
    const wrapped = await sealift.client.get('/v1/secret/data/wrapped', {
      headers: { 'x-vault-wrap-ttl': '60' },
    });
    const { token, accessor } = wrapped.body.wrap_info;
    const unwrap = (id: string, secret: string) =>
      sealift.client.post('/v1/sys/wrapping/unwrap', { token: secret }, { token: null, ...named(id) });
    expect((await unwrap('unwrap-1', token)).status).to.equal(200);
    expect(await entryOf(sealift, 'unwrap-1')).to.deep.include({
      accessor,
      'auth-method': 'wrapping',
      outcome: 'succeeded',
    });
    expect(await entryOf(sealift, 'unwrap-1')).to.include({ secret: 'secret/wrapped' });
    const story = await sealift.client.get('/v1/sys/story/secret/wrapped');
    expect(story.body.data.story[0]).to.include({ kind: 'read', request_id: 'unwrap-1' });
    expect((await unwrap('unwrap-2', token)).status).to.equal(400);
    expect((await entryOf(sealift, 'unwrap-2')).detail).to.deep.equal({
      kind: 'bad_wrapping_token',
      count: 1,
    });
  });

  it('an entry tells the status that was sent, when the error was not made by the endpoint', async () => {
    const broken = await sealift.client.post('/v1/secret/data/who', undefined, {
      raw: '{"data":',
      ...named('sent-1'),
    });
    expect(broken.status).to.equal(400);
    expect(await entryOf(sealift, 'sent-1')).to.include({ status: 400, outcome: 'refused' });
    const nul = await sealift.client.post(
      '/v1/sys/mounts/nul',
      { type: 'kv', description: 'a\u0000b' },
      named('sent-2'),
    );
    expect(nul.status).to.be.within(400, 499);
    expect(await entryOf(sealift, 'sent-2')).to.include({ status: nul.status, outcome: 'refused' });
  });

  it('a client that resets the connection after its request has an address all the same', async () => {
    const { hostname, port } = new URL(sealift.url);
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await setImmediate();
    };
    const sendAndReset = async (index: number): Promise<void> => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      await turns(10);
      const head = `DELETE /v1/sys/policies/acl/reset-${index} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n`;
      await new Promise((resolve) => socket.write(`${head}\r\n`, resolve));
      // The server reads the request, and has not looked at it yet when the connection is gone.
      await turns(index % 12);
      socket.resetAndDestroy();
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => sendAndReset(index)));
    const found = () => entriesWith(sealift, { path: 'sys/policies/acl/reset-' });
    await eventually(async () => (await found()).length > 5);
    for (const { address } of await found()) expect(address).to.equal('127.0.0.1');
  });

  it('an entry says that no answer was sent when the caller went away before', async () => {
    const { db } = sealift.context;
    const lock = await db.transaction();
    await lock.raw('LOCK TABLE secret_versions IN ACCESS EXCLUSIVE MODE');
    const call = request(`${sealift.url}/v1/secret/data/gone`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sealift.token}`, 'x-request-id': 'gone-1' },
    });
    call.on('error', () => undefined);
    call.end('{"data":{"a":1}}');
    try {
      // From now on the request waits for the lock.
      await eventually(async () => {
        const { rows } = await db.raw("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'");
        return rows.length > 0;
      });
      call.destroy();
      await eventually(() => call.closed);
    } finally {
      await lock.commit();
    }
    await eventually(async () => (await entryOf(sealift, 'gone-1')).outcome !== 'attempted');
    const entry = await entryOf(sealift, 'gone-1');
    expect(entry).to.deep.include({
      status: null,
      outcome: 'succeeded',
      detail: { version: 1, answer: 'not sent' },
    });
    expect((await sealift.client.get('/v1/secret/data/gone')).status).to.equal(200);
  });
});
