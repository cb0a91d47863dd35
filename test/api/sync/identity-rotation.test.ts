import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { startKeyMaintenance } from '../../../services/key-maintenance/start.ts';
import { startCloud1SmFake, type Cloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { choosePort } from '../../../deploy/local/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker } from '../../support/sandboxed.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';

const SIGN_IN = 'AssumeRoleWithWebIdentity';
const NAMES = ['one', 'two', 'three', 'four', 'five'];
const SECRET = 'shared';

describe('a signing key that changes while destinations push', () => {
  let fake: Cloud1SmFake;
  let sealift: Sealift;
  let drivers: SyncDriver[];

  before(async () => {
    const port = await choosePort(undefined);
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, RECHECK_MIN: '600000' },
      workers: { 'cloud1-sm': cloud1Worker(fake), 'key-maintenance': startKeyMaintenance },
    });
    drivers = await Promise.all(NAMES.map(connect));
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  async function connect(name: string): Promise<SyncDriver> {
    const driver = createSyncDriver(sealift, 'cloud1-sm', name);
    const arn = `arn:aws:iam::123456789012:role/${name}`;
    const answer = await driver.configure({
      role_arn: arn,
      region: 'eu-west-1',
      identity_token_audience: 'sts.amazonaws.com',
      secret_name_template: `${name}/{{ .SecretPath }}`,
    });
    expect(answer.status, answer.text).to.equal(200);
    const { iss, aud, sub } = (await sealift.client.get(`${driver.path}/identity`)).body.data;
    // With sessions of less than five minutes the SDK signs in for each call.
    fake.addRole({ arn, trust: { issuer: iss, audience: aud, subject: sub }, sessionMs: 60_000 });
    return driver;
  }

  const act = async (action: string): Promise<void> => {
    const answer = await sealift.client.post(`/api/v2/admin/oidc-settings/actions/${action}`);
    expect(answer.status).to.equal(204);
  };
  const pushed = () =>
    fake.calls().filter(({ operation, status }) => operation === 'PutSecretValue' && status === 200);
  // Each destination has pushed some times more.
  const pushesOn = async (): Promise<void> => {
    const before = pushed().length;
    await eventually(() => {
      const since = pushed().slice(before);
      return NAMES.every((name) => since.filter(({ target }) => target === `${name}/${SECRET}`).length > 2);
    });
  };

  it('every push succeeds while the key rotates, and again while the former one is trimmed', async () => {
    const [first] = drivers;
    if (!first) throw new Error('there is no destination');
    await first.write(SECRET, { count: '0' });
    for (const driver of drivers) await driver.associate(SECRET);
    for (const driver of drivers) await driver.settles(SECRET, 'SYNCED');
    fake.clearCalls();

    const failed: string[] = [];
    let count = 0;
    const end = new AbortController();
    const writes = async (): Promise<void> => {
      for (; !end.signal.aborted; await setTimeout(40))
        await first.write(SECRET, { count: String((count += 1)) });
    };
    const watches = async (): Promise<void> => {
      for (; !end.signal.aborted; await setTimeout(100))
        for (const driver of drivers)
          for (const { cause } of await driver.records(SECRET)) if (cause) failed.push(cause.code);
    };
    const busy = [writes(), watches()];
    try {
      await pushesOn();
      await act('rotate-key');
      await pushesOn();
      // A call that is under way has no status yet.
      const answered = fake.calls().filter(({ status }) => status !== 0);
      expect(new Set(answered.map(({ status }) => status))).to.deep.equal(new Set([200]));
      await act('trim-key');
      await pushesOn();
    } finally {
      end.abort();
      await Promise.all(busy);
    }
    for (const driver of drivers) await driver.settles(SECRET, 'SYNCED');

    expect(failed).to.deep.equal([]);
    // Only the tokens of the trimmed key were refused; each push signed in again with a new one.
    const refused = fake.calls().filter(({ status }) => status >= 400);
    expect(new Set(refused.map(({ operation, status }) => `${operation} ${status}`))).to.deep.equal(
      new Set([`${SIGN_IN} 400`]),
    );
    expect(fake.entries().map(({ value }) => value)).to.deep.equal(
      NAMES.map(() => JSON.stringify({ count: String(count) })),
    );
  });
});
