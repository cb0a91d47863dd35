import { expect } from 'chai';
import { startApi } from '../../services/api/start.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { daysFromNow, runNow, startMaintenance } from '../key-maintenance/support.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import { createClient, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const NOT_VALID = 'wrapping token is not valid or does not exist';

describe('wrapped answers', () => {
  let sealift: Sealift;
  let client: Client;
  before(async () => {
    sealift = await startSealift();
    client = sealift.client;
    await client.post('/v1/secret/data/app', { data: { password: 'canary-value' } });
  });
  after(() => sealift.stop());

  const wrap = (ttl: string, options: CallOptions = {}): CallOptions => ({
    ...options,
    headers: { 'x-vault-wrap-ttl': ttl },
  });
  const wrapSecret = async (ttl = '60'): Promise<Answer['body']> =>
    (await client.get('/v1/secret/data/app', wrap(ttl))).body.wrap_info;
  const unwrap = (token: string) => client.call('PUT', '/v1/sys/wrapping/unwrap', undefined, { token });
  const refused = (answer: Answer, text: string): void => {
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.body.errors.join()).to.contain(text);
  };

  it('a wrapped answer tells how it is fetched, and nothing else', async () => {
    for (const [ttl, seconds] of [
      ['60', 60],
      ['60s', 60],
      ['5m', 300],
    ] as const) {
      const answer = await client.get('/v1/secret/data/app', wrap(ttl));
      expect(answer.status).to.equal(200);
      expect(answer.text).not.to.contain('canary-value');
      expect(answer.body).to.deep.include({ data: null, auth: null, warnings: null });
      const info = answer.body.wrap_info;
      expect(info).to.deep.include({ ttl: seconds, creation_path: 'secret/data/app', wrapped_accessor: '' });
      expect(Date.now() - Date.parse(info.creation_time)).to.be.below(60_000);
      expect(info.accessor).to.be.a('string').and.not.equal(info.token);
    }
  });

  it('a lifetime of nothing asks for no wrapping, also where nothing can be wrapped', async () => {
    for (const ttl of ['0', '0s', '0h0m', '']) {
      const plain = await client.get('/v1/secret/data/app', wrap(ttl));
      expect(plain.body.data.data, ttl).to.deep.equal({ password: 'canary-value' });
      expect(plain.body.wrap_info).to.equal(null);
      expect((await client.get('/v1/sys/seal-status', wrap(ttl))).status).to.equal(200);
      expect((await client.get('/api/v2/admin/general-settings', wrap(ttl))).status).to.equal(200);
    }
    refused(await client.post('/v1/sys/wrapping/wrap', { a: '1' }, wrap('0')), 'requires response wrapping');
    for (const ttl of ['-1', 'x', '0x0', '0,5'])
      refused(await client.get('/v1/secret/data/app', wrap(ttl)), 'X-Vault-Wrap-TTL');
  });

  it('a wrapped answer is fetched once, by the token itself or by somebody who names it', async () => {
    const plain = await client.get('/v1/secret/data/app');
    for (const fetch of [
      unwrap,
      (token: string) => client.post('/v1/sys/wrapping/unwrap', { token }),
      (token: string) => client.post('/v1/sys/wrapping/unwrap', { token }, { token: null }),
    ]) {
      const { token } = await wrapSecret();
      const first = await fetch(token);
      expect(first.status, first.text).to.equal(200);
      expect(first.headers['content-type']).to.contain('application/json');
      expect(first.body).to.deep.equal({ ...plain.body, request_id: first.headers['x-request-id'] });
      refused(await fetch(token), NOT_VALID);
    }
  });

  it('a wrapped answer keeps every digit of a secret', async () => {
    const raw = '{"data":{"n":12345678901234567890.10}}';
    await client.post('/v1/secret/data/digits', undefined, { raw });
    const { wrap_info: info } = (await client.get('/v1/secret/data/digits', wrap('60'))).body;
    expect((await unwrap(info.token)).text).to.contain('12345678901234567890.10');
  });

  it('a wrapped answer goes to one of many who come at once, whichever replica they come to', async () => {
    const { port } = (await sealift.start('api-2', startApi)) as Service & { port: number };
    const other = createClient(`http://127.0.0.1:${port}`, sealift.token);
    for (let round = 0; round < 5; round += 1) {
      const { token } = await wrapSecret();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? client : other).call('PUT', '/v1/sys/wrapping/unwrap', undefined, { token }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 400)).to.have.length(9);
    }
  });

  it('a wrapped answer is sealed in the database', async () => {
    await wrapSecret();
    const rows = await sealift.context.db('wrapped_responses').select('*');
    const bytes = Buffer.concat(rows.map((row: { sealed: Buffer }) => row.sealed));
    expect(bytes.length).to.be.greaterThan(0);
    expect(bytes.includes('canary-value')).to.equal(false);
  });

  it('a wrapped answer ends with its time, and maintenance then removes it', async () => {
    const { token } = await wrapSecret('1s');
    const lookUp = () => client.post('/v1/sys/wrapping/lookup', { token });
    await eventually(async () => (await lookUp()).status === 400);
    refused(await unwrap(token), NOT_VALID);
    const services = await startMaintenance(sealift);
    await wrapSecret('1h');
    await runNow(services, 'expire-tokens', { now: daysFromNow(1) });
    expect(await sealift.context.db('wrapped_responses').select('*')).to.deep.equal([]);
  });

  it('a wrapped answer ends where its token is revoked by its accessor', async () => {
    const { token, accessor } = await wrapSecret();
    expect((await client.post('/v1/auth/token/revoke-accessor', { accessor })).status).to.equal(204);
    refused(await unwrap(token), NOT_VALID);
  });

  it('the token of a wrapped answer has no other right', async () => {
    const { token } = await wrapSecret();
    for (const path of ['/v1/secret/data/app', '/v1/auth/token/lookup-self', '/v1/sys/mounts'])
      expect((await client.get(path, { token })).status, path).to.equal(403);
    expect((await unwrap(token)).status).to.equal(200);
  });

  it('a wrapped answer names the accessor of a token that it holds', async () => {
    const made = await client.post('/v1/auth/token/create', { policies: ['default'] }, wrap('5m'));
    expect(made.body.auth).to.equal(null);
    const { auth } = (await unwrap(made.body.wrap_info.token)).body;
    expect(made.body.wrap_info).to.deep.include({
      creation_path: 'auth/token/create',
      wrapped_accessor: auth.accessor,
    });
    const own = await client.get('/v1/auth/token/lookup-self', { token: auth.client_token });
    expect(own.status).to.equal(200);
  });

  it('a wrapped answer is looked up without being used', async () => {
    const { token, creation_time } = await wrapSecret('90');
    for (const answer of [
      await client.post('/v1/sys/wrapping/lookup', { token }, { token: null }),
      await client.call('PUT', '/v1/sys/wrapping/lookup', undefined, { token }),
      await client.get('/v1/sys/wrapping/lookup', { token }),
    ]) {
      expect(answer.body.data).to.deep.equal({
        creation_path: 'secret/data/app',
        creation_time,
        creation_ttl: 90,
      });
    }
    expect((await unwrap(token)).status).to.equal(200);
    refused(await client.post('/v1/sys/wrapping/lookup', { token }), NOT_VALID);
  });

  it('a wrapped answer gets a new token by `rewrap`, and the old one ends', async () => {
    const old = await wrapSecret('90');
    const answer = await client.post('/v1/sys/wrapping/rewrap', { token: old.token });
    expect(answer.body.data).to.equal(null);
    const renewed = answer.body.wrap_info;
    expect(renewed).to.deep.include({ ttl: 90, creation_path: 'secret/data/app' });
    refused(await client.post('/v1/sys/wrapping/rewrap', { token: old.token }), NOT_VALID);
    refused(await unwrap(old.token), NOT_VALID);
    expect((await unwrap(renewed.token)).body.data.data).to.deep.equal({ password: 'canary-value' });
  });

  it('anything that a caller sends to `wrap` is wrapped', async () => {
    const { token } = (await client.post('/v1/auth/token/create', { policies: ['default'] })).body.auth;
    const made = await client.post('/v1/sys/wrapping/wrap', { a: '1', b: [2] }, wrap('60', { token }));
    expect(made.body.wrap_info.creation_path).to.equal('sys/wrapping/wrap');
    expect((await unwrap(made.body.wrap_info.token)).body.data).to.deep.equal({ a: '1', b: [2] });
    refused(await client.post('/v1/sys/wrapping/wrap', { a: '1' }), 'endpoint requires response wrapping');
  });

  it('errors and answers without a body are not wrapped', async () => {
    const missing = await client.get('/v1/secret/data/absent', wrap('60'));
    expect(missing.status).to.equal(404);
    expect(missing.body).to.deep.equal({ errors: [] });
    await client.post('/v1/secret/data/gone', { data: { a: 1 } });
    expect((await client.delete('/v1/secret/data/gone', wrap('60'))).status).to.equal(204);
    const deleted = await client.get('/v1/secret/data/gone', wrap('60'));
    expect(deleted.status).to.equal(404);
    expect(deleted.body.data.data).to.equal(null);
  });

  it('a wrapping time that is none is refused, and nothing is done', async () => {
    for (const ttl of ['-1', 'soon', '1x', '769h', '60, 60'])
      refused(
        await client.post('/v1/secret/data/never', { data: { a: 1 } }, wrap(ttl)),
        'X-Vault-Wrap-TTL must be',
      );
    expect((await client.get('/v1/secret/data/never')).status).to.equal(404);
  });

  it('wrapping is refused in site administration, and where nobody needs a token', async () => {
    for (const path of ['/api/v2/admin/general-settings', '/v1/sys/health', '/v1/sys/seal-status', '/docs']) {
      const answer = await client.get(path, wrap('60'));
      expect(answer.status, path).to.equal(400);
      expect(answer.text, path).to.contain('leave X-Vault-Wrap-TTL out');
    }
    const { token } = await wrapSecret();
    refused(
      await client.post('/v1/sys/wrapping/unwrap', { token }, wrap('60')),
      'leave X-Vault-Wrap-TTL out',
    );
    expect((await unwrap(token)).status).to.equal(200);
  });

  it('an unwrap without a token says that the token is missing', async () => {
    refused(
      await client.post('/v1/sys/wrapping/unwrap', undefined, { token: null }),
      'the wrapping token is missing',
    );
  });

  it('the audit trail tells who had what wrapped, and that it was fetched', async () => {
    const listed = await client.call('GET', '/v1/secret/metadata/?list=true', undefined, wrap('60'));
    const { accessor, token } = listed.body.wrap_info;
    await unwrap(token);
    const { data } = (await client.get('/api/v2/admin/audit-events')).body;
    const ours = data
      .map((event: { attributes: Record<string, unknown> }) => event.attributes)
      .filter(
        ({ detail }: { detail: { wrapping_accessor?: string } | null }) =>
          detail?.wrapping_accessor === accessor,
      );
    expect(ours.map(({ action }: { action: string }) => action)).to.deep.equal([
      'POST /sys/wrapping/unwrap',
      'LIST /:mount/metadata{/*path}',
    ]);
    expect(ours[0]).to.deep.include({ accessor, outcome: 'succeeded' });
    expect(ours[1]).to.deep.include({ actor: 'root', outcome: 'succeeded' });
  });
});
