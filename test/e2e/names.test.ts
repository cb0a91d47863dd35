import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/connector/engine/worker.ts';
import { connector } from '../../services/connectors/repo-host/connector.ts';
import { destination } from '../../services/connectors/repo-host/destination.ts';
import { startRepoHostFake, type RepoHostFake } from '../sandbox/repo-host/fake.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const KEYS = '{{ .SecretKey }}';
const PATHS = '{{ .SecretPath }}';

describe('names that a change of the template gives to others', function () {
  this.timeout(60_000);
  let fake: RepoHostFake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startRepoHostFake();
    sealift = await startSealift({ environment: { SWEEP_INTERVAL: '200' } });
    const environment = { REPO_HOST_API_URL: fake.url };
    const options = { environment: (name: string) => environment[name as 'REPO_HOST_API_URL'] };
    await sealift.start('worker', (context) =>
      startConnectorWorker(context, { destination, connector }, options),
    );
    driver = createSyncDriver(sealift, 'repo-host', 'web');
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  async function configure(template: string, granularity = 'secret-key'): Promise<void> {
    const answer = await driver.configure({
      access_token: 'ghp_valid',
      repository_owner: 'acme',
      repository_name: 'web',
      granularity,
      secret_name_template: template,
    });
    expect(answer.status, answer.text).to.equal(200);
  }

  async function sync(secret: string, data: Record<string, string>): Promise<void> {
    await driver.write(secret, data);
    await driver.associate(secret);
    await driver.settles(secret, 'SYNCED');
  }

  const outside = (): Record<string, unknown> =>
    Object.fromEntries(fake.entries().map(({ name, value }) => [name, value]));

  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await driver.records()).map((record) => [record.sub_key, record.sync_status]));

  it('stay with the key that has them where two keys of a secret come to one, and all is restored afterwards', async () => {
    await configure(KEYS);
    await sync('app', { OLD_TOKEN: 'old', TOKEN: 'new' });
    const before = outside();
    expect(before).to.deep.equal({ OLD_TOKEN: 'old', TOKEN: 'new' });
    await configure('{{ .SecretKey | replace "OLD_" "" }}');
    await eventually(async () => {
      expect(await statuses()).to.deep.equal({ OLD_TOKEN: 'CLIENT_SIDE_ERROR', TOKEN: 'SYNCED' });
      return true;
    });
    expect(outside()).to.deep.equal(before);
    await driver.write('app', { OLD_TOKEN: 'old', TOKEN: 'newer' });
    await eventually(() => outside()['TOKEN'] === 'newer');
    await configure(KEYS);
    await driver.settles('app', 'SYNCED');
    expect(outside()).to.deep.equal({ OLD_TOKEN: 'old', TOKEN: 'newer' });
    expect((await driver.records('app')).map(({ external_name: name }) => name)).to.have.members([
      'OLD_TOKEN',
      'TOKEN',
    ]);
  });

  it('change places between two keys of one secret', async () => {
    await configure(KEYS);
    await sync('app', { LEFT: 'l', RIGHT: 'r' });
    await configure(
      '{{ .SecretKey | replace "LEFT" "MIDDLE" | replace "RIGHT" "LEFT" | replace "MIDDLE" "RIGHT" }}',
    );
    await eventually(() => outside()['LEFT'] === 'r');
    await driver.settles('app', 'SYNCED');
    expect(outside()).to.deep.equal({ LEFT: 'r', RIGHT: 'l' });
  });

  for (const [title, secrets, template] of [
    [
      'two secrets',
      ['left', 'right'],
      '{{ .SecretPath | replace "left" "middle" | replace "right" "left" | replace "middle" "right" }}',
    ],
    [
      'three secrets',
      ['one', 'two', 'three'],
      '{{ .SecretPath | replace "one" "zero" | replace "two" "one" | replace "three" "two" | replace "zero" "three" }}',
    ],
  ] as const) {
    it(`change places between ${title}, none of which is missing outside meanwhile`, async () => {
      await configure(PATHS, 'secret-path');
      for (const secret of secrets) await sync(secret, { is: secret });
      fake.clearCalls();
      await configure(template, 'secret-path');
      const last = secrets.at(-1) ?? '';
      const expected = Object.fromEntries(
        secrets.map((secret, index) => [
          (secrets[index - 1] ?? last).toUpperCase(),
          JSON.stringify({ is: secret }),
        ]),
      );
      const isThere = () => {
        expect(outside()).to.deep.equal(expected);
        return true;
      };
      await eventually(isThere, { limitMs: 20_000 });
      for (const secret of secrets) await driver.settles(secret, 'SYNCED');
      expect(fake.callsOf('deleteSecret')).to.deep.equal([]);
      await driver.write(secrets[0], { is: 'changed' });
      await eventually(() => outside()[last.toUpperCase()] === '{"is":"changed"}');
      for (const secret of secrets) {
        await driver.dissociate(secret);
        await eventually(async () => (await driver.records(secret)).length === 0);
      }
      expect(outside()).to.deep.equal({});
    });
  }
});
