import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, openSession, operationsOf } from './support.ts';

describe('cloud3-sm: check', () => {
  let fake: Cloud3SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud3SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  it('a check with sufficient rights passes and leaves nothing behind', async () => {
    fake.plant({ name: 'theirs', value: 'v' });
    await session.check(calm(), 'sealift-check');
    expect(fake.entries().map(({ name, value }) => [name, value])).to.deep.equal([['theirs', 'v']]);
    expect(fake.callsOf('CreateSecret')[0]?.target).to.match(/^sealift-check/);
    expect(operationsOf(fake).at(-1)).to.equal('DeleteSecret');
  });

  it('a check names every permission that is missing, and only those', async () => {
    fake.addFault({ kind: 'denied', operation: ['CreateSecret', 'AddSecretVersion', 'UpdateSecret'] });
    const failure = await failureOf(session.check(calm(), 'sealift-check'));
    expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
      'client',
      'permission_missing',
      'destination',
    ]);
    expect(failure.message).to.contain(
      'secretmanager.secrets.create, secretmanager.versions.add, secretmanager.secrets.update ',
    );
    expect(failure.message).to.not.match(/delete|access|destroy|secrets\.get/);
  });

  it('a check creates nothing where it could not delete it again', async () => {
    fake.addFault({ kind: 'denied', operation: 'DeleteSecret' });
    expect((await failureOf(session.check(calm(), 'sealift-check'))).message).to.contain(
      'secretmanager.secrets.delete',
    );
    expect(fake.callsOf('CreateSecret')).to.have.length(0);
  });

  it('a check asks for the rights to destroy versions only where older ones must be destroyed', async () => {
    fake.addFault({ kind: 'denied', operation: ['ListSecretVersions', 'DestroySecretVersion'] });
    await session.check(calm(), 'sealift-check');
    const destroying = await openSession(fake, { destroy_old_versions: true });
    const { message } = await failureOf(destroying.check(calm(), 'sealift-check'));
    expect(message).to.contain('secretmanager.versions.list, secretmanager.versions.destroy ');
    await destroying.close?.();
  });

  it('a check finds out that new secrets are not allowed in the configured locations', async () => {
    fake.addFault({ kind: 'error', operation: 'CreateSecret', code: 'LOCATION_ORG_POLICY_VIOLATED' });
    expect((await failureOf(session.check(calm(), 'sealift-check'))).code).to.equal('policy_refused');
    const nowhere = await openSession(fake, { replication_locations: ['no-where'] });
    fake.clearFaults();
    expect((await failureOf(nowhere.check(calm(), 'sealift-check'))).message).to.contain('replica_regions');
    await nowhere.close?.();
  });

  for (const [reason, code] of [
    ['SERVICE_DISABLED', 'account_inactive'],
    ['BILLING_DISABLED', 'account_inactive'],
    ['CONSUMER_INVALID', 'container_not_found'],
  ] as const)
    it(`the reason ${reason} is told as ${code} after one call`, async () => {
      fake.addFault({ kind: 'error', code: reason });
      const failure = await failureOf(session.check(calm(), 'sealift-check'));
      expect([failure.kind, failure.code]).to.deep.equal(['client', code]);
      expect(fake.calls()).to.have.length(1);
    });

  it('another project than that of the key is a missing permission', async () => {
    const foreign = await openSession(fake, { project_id: 'someone-elses' });
    expect((await failureOf(foreign.check(calm(), 'sealift-check'))).code).to.equal('permission_missing');
    expect((await failureOf(foreign.put(entry(), calm()))).code).to.equal('permission_missing');
    await foreign.close?.();
  });
});
