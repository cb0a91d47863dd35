import { expect } from 'chai';
import { startKeyMaintenance } from '../../../services/key-maintenance/start.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { choosePort } from '../../../deploy/local/ports.ts';
import { cloud1Worker } from '../../support/sandboxed.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';

const ACTIONS = '/api/v2/admin/oidc-settings/actions';
const AUDIENCE = 'sts.amazonaws.com';
const BY_TOKEN = 'AssumeRoleWithWebIdentity';

describe('pushes with identity tokens', () => {
  let fake: Cloud1SmFake;
  let sealift: Sealift;

  before(async () => {
    const port = await choosePort(undefined);
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        RETRY_MIN: '50',
        RETRY_MAX: '200',
        RECHECK_MIN: '600000',
      },
      workers: { 'cloud1-sm': cloud1Worker(fake), 'key-maintenance': startKeyMaintenance },
    });
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const roleOf = (name: string) => `arn:aws:iam::123456789012:role/${name}`;

  async function prepare(name: string): Promise<SyncDriver> {
    const driver = createSyncDriver(sealift, 'cloud1-sm', name);
    const answer = await driver.configure({
      role_arn: roleOf(name),
      region: 'eu-west-1',
      identity_token_audience: AUDIENCE,
      secret_name_template: `${name}/{{ .SecretPath }}`,
    });
    expect(answer.status, answer.text).to.equal(200);
    return driver;
  }

  // As a person does it: from what the destination says of itself.
  async function trust(driver: SyncDriver, name: string, sessionMs?: number): Promise<void> {
    const { data } = (await sealift.client.get(`${driver.path}/identity`)).body;
    const claims = { issuer: data.iss, audience: data.aud, subject: data.sub };
    fake.addRole({ arn: roleOf(name), trust: claims, ...(sessionMs ? { sessionMs } : {}) });
  }

  it('a secret reaches AWS by a role that trusts what the destination says of itself', async () => {
    const driver = await prepare('first');
    await trust(driver, 'first');
    await driver.write('first', { password: 'p' });
    await driver.associate('first');
    await driver.settles('first', 'SYNCED');
    const { data } = (await sealift.client.get(`${driver.path}/identity`)).body;
    expect(fake.sessionNames()).to.deep.equal([data.role_session_name]);
    expect((await sealift.client.post(`${driver.path}/check`)).body.data).to.include({ ok: true });
  });

  it('a destination of another namespace proves to be of that namespace', async () => {
    const namespace = 'team';
    await sealift.client.post(`/v1/sys/namespaces/${namespace}`);
    const path = '/v1/sys/sync/destinations/aws-sm/below';
    const settings = { role_arn: roleOf('below'), region: 'eu-west-1', identity_token_audience: AUDIENCE };
    expect((await sealift.client.post(path, settings, { namespace })).status).to.equal(200);
    const { data } = (await sealift.client.get(`${path}/identity`, { namespace })).body;
    const claims = { issuer: data.iss, audience: data.aud, subject: data.sub };
    const check = async () => (await sealift.client.post(`${path}/check`, {}, { namespace })).body.data;
    const ofRoot = String(data.iss).replace('/team/', '/');
    fake.addRole({ arn: roleOf('below'), trust: { ...claims, issuer: ofRoot } });
    const refused = await check();
    expect(refused.cause).to.include({ code: 'trust_unsettled' });
    expect(refused.step).to.equal('exchange');
    fake.addRole({ arn: roleOf('below'), trust: claims });
    expect(await check()).to.include({ ok: true });
  });

  it('a draft is checked with the identity that it would have', async () => {
    const driver = createSyncDriver(sealift, 'cloud1-sm', 'draft');
    const subject = 'secrets-sync:root:aws-sm:draft';
    const issuer = `${sealift.config.PUBLIC_URL}/v1/identity/oidc/secrets-sync`;
    fake.addRole({ arn: roleOf('draft'), trust: { issuer, audience: AUDIENCE, subject } });
    const { body } = await sealift.client.post(`${driver.path}/check`, {
      role_arn: roleOf('draft'),
      region: 'eu-west-1',
      identity_token_audience: AUDIENCE,
    });
    expect(body.data, JSON.stringify(body)).to.include({ ok: true });
  });

  it('a draft that the store does not trust yet is for a person to test again', async () => {
    const driver = createSyncDriver(sealift, 'cloud1-sm', 'untrusted');
    const settings = {
      role_arn: roleOf('untrusted'),
      region: 'eu-west-1',
      identity_token_audience: AUDIENCE,
    };
    const ofDraft = (await sealift.client.post(`${driver.path}/check`, settings)).body.data.cause;
    expect(ofDraft.code).to.equal('trust_unsettled');
    expect(ofDraft.message).to.include('Test again later.').and.not.include('by itself');
    expect((await driver.configure(settings)).status).to.equal(200);
    const ofStored = (await sealift.client.post(`${driver.path}/check`)).body.data.cause;
    expect(ofStored.message).to.include('It is tried again by itself until 15 minutes after');
  });

  it('a trust that comes some time after the destination heals by itself, without a wait', async () => {
    const driver = await prepare('late');
    await driver.write('late', { password: 'p' });
    await driver.associate('late');
    const [failed] = await driver.settles('late', 'EXTERNAL_SERVICE_ERROR');
    expect(failed?.cause?.code).to.equal('trust_unsettled');
    await trust(driver, 'late');
    // Had anything been sent, it would be uncertain for two leases, which are a minute.
    await driver.settles('late', 'SYNCED');
    expect(fake.callsOf('CreateSecret')).to.have.length(1);
  });

  it('a trust that is missing for longer is for a person to mend', async () => {
    const driver = await prepare('never');
    await sealift.context
      .db('destinations')
      .where({ name: 'never' })
      .update({ changed_at: new Date(Date.now() - 16 * 60_000) });
    await driver.write('never', { password: 'p' });
    await driver.associate('never');
    const [failed] = await driver.settles('never', 'CLIENT_SIDE_ERROR');
    expect(failed?.cause?.code).to.equal('trust_refused');
  });

  it('a rotated key works at once, and a trimmed one no more', async () => {
    const signIns = async (driver: SyncDriver, name: string): Promise<number[]> => {
      fake.clearCalls();
      await driver.write(name, { at: Date.now() });
      await driver.associate(name);
      await driver.settles(name, 'SYNCED');
      return fake.callsOf(BY_TOKEN).map(({ status }) => status);
    };
    const act = async (action: string): Promise<void> => {
      expect((await sealift.client.post(`${ACTIONS}/${action}`)).status).to.equal(204);
    };
    const driver = await prepare('before');
    // Less than five minutes: the SDK signs in for each call.
    await trust(driver, 'before', 60_000);
    expect(new Set(await signIns(driver, 'before'))).to.deep.equal(new Set([200]));
    await act('rotate-key');
    const other = await prepare('after');
    await trust(other, 'after');
    expect(await signIns(other, 'after')).to.deep.equal([200]);
    expect(new Set(await signIns(driver, 'before'))).to.deep.equal(new Set([200]));
    await act('trim-key');
    const [first, ...later] = await signIns(driver, 'before');
    expect(first).to.equal(400);
    expect(new Set(later)).to.deep.equal(new Set([200]));
  });

  it('only a destination older than the signing key is told that the store may lack that key', async () => {
    const { db } = sealift.context;
    expect((await sealift.client.post(`${ACTIONS}/rotate-key`)).status).to.equal(204);
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    for (const [name, keyMinutes, words] of [
      ['older', 10, 'may not have our newest key'],
      ['newer', 30, 'the destination is newer than the signing key'],
    ] as const) {
      const driver = await prepare(name);
      const claims = { issuer: 'https://other.example', audience: AUDIENCE, subject: 'any' };
      fake.addRole({ arn: roleOf(name), trust: claims });
      await db('destinations')
        .where({ name })
        .update({ changed_at: minutesAgo(20) });
      const { id } = await db('oidc_keys').orderBy('id', 'desc').first('id');
      await db('oidc_keys')
        .where({ id })
        .update({ created_at: minutesAgo(keyMinutes) });
      const { cause } = (await sealift.client.post(`${driver.path}/check`)).body.data;
      expect(cause.code).to.equal('trust_unsettled');
      expect(cause.message).to.include(words).and.to.include('`sealift destination identity`');
    }
  });
});
