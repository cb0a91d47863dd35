import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { loadConfig } from '../../libs/config/config.ts';
import { createLog } from '../../libs/log/log.ts';
import { closeContext, openContext } from '../../libs/service/context.ts';
import { startApi } from '../../services/api/start.ts';
import { createClient, type Answer } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('Clients that ask what there is', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const refused = (answer: Answer, text: string): void => {
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.body.errors.join()).to.contain(text);
  };

  it('clients find tokens as an auth method, and enable none that is not offered', async () => {
    const { client } = sealift;
    const { body } = await client.get('/v1/sys/auth');
    expect(Object.keys(body.data)).to.deep.equal(['token/']);
    expect(body['token/']).to.deep.equal(body.data['token/']);
    expect(body.data['token/']).to.deep.include({ type: 'token', description: 'token based credentials' });
    expect((await client.get('/v1/sys/auth/token')).body.data).to.deep.equal(body.data['token/']);
    refused(await client.post('/v1/sys/auth/my-github', { type: 'github' }), '"github" is not supported');
    refused(await client.get('/v1/sys/auth/my-github'), 'No auth engine at my-github/');
    expect((await client.delete('/v1/sys/auth/my-github')).status).to.equal(204);
    refused(await client.delete('/v1/sys/auth/token'), 'cannot be disabled');
    expect((await client.get('/v1/auth/token/lookup-self')).status).to.equal(200);
  });

  it('read how tokens are tuned; a change is refused by its name', async () => {
    for (const path of ['/v1/sys/auth/token/tune', '/v1/sys/mounts/auth/token/tune']) {
      const { data } = (await sealift.client.get(path)).body;
      expect(data).to.include({ default_lease_ttl: 2764800, max_lease_ttl: 2764800 });
      expect(
        (await sealift.client.post(path, { default_lease_ttl: '768h', token_type: '' })).status,
      ).to.equal(204);
      refused(
        await sealift.client.post(path, { max_lease_ttl: '1h' }),
        'max_lease_ttl of tokens cannot be tuned',
      );
    }
  });

  it('clients find the audit trail as the only device, and neither enable nor disable one', async () => {
    const { client } = sealift;
    const { data } = (await client.get('/v1/sys/audit')).body;
    expect(data['file/']).to.deep.include({ type: 'file', path: 'file/' });
    expect(data['file/'].options).to.include({ audit_reads: 'true', retention_days: '365' });
    refused(await client.post('/v1/sys/audit/net', { type: 'socket' }), '"socket" is not supported');
    refused(await client.delete('/v1/sys/audit/file'), 'cannot be disabled');
    expect((await client.delete('/v1/sys/audit/net')).status).to.equal(204);
    await client.post('/v1/sys/namespaces/inner');
    for (const path of ['/v1/sys/audit', '/v1/sys/key-status'])
      expect((await client.get(path, { namespace: 'inner' })).status, path).to.equal(403);
  });

  it('clients are told what to do where there is nothing to rotate', async () => {
    const { client } = sealift;
    refused(await client.call('PUT', '/v1/sys/rotate'), 'docs/master-key.md');
    const { auth } = (await client.post('/v1/auth/token/create', { policies: ['default'] })).body;
    expect((await client.post('/v1/sys/rotate', {}, { token: auth.client_token })).status).to.equal(403);
    expect((await client.get('/v1/sys/nothing')).status).to.equal(404);
  });

  it('learn which master key seals, since when, and how many values it wraps', async () => {
    const status = async (client = sealift.client) => (await client.get('/v1/sys/key-status')).body.data;
    const first = await status();
    expect(first.term).to.equal(1);
    expect(Date.now() - Date.parse(first.install_time)).to.be.within(0, 120_000);
    await sealift.client.post('/v1/secret/data/one', { data: { a: 1 } });
    expect((await status()).encryptions).to.equal(first.encryptions + 1);

    const config = loadConfig({
      ...sealift.environment,
      SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
      SEALIFT_OLD_MASTER_KEYS: sealift.environment['SEALIFT_MASTER_KEY'] ?? '',
    });
    const log = createLog({ service: 'test', level: 'silent' });
    const context = await openContext({ config, log, name: 'second-key' });
    const api = await startApi(context);
    try {
      const other = createClient(`http://127.0.0.1:${api.port}`, sealift.token);
      await other.post('/v1/secret/data/two', { data: { a: 1 } });
      expect(await status(other)).to.include({ term: 2, encryptions: 1 });
      expect(await status()).to.include({ term: 1, install_time: first.install_time });
    } finally {
      await api.stop();
      await closeContext(context);
    }
  });
});
