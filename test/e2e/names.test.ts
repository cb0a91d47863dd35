import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/github-secrets/connector.ts';
import { destination } from '../../services/connectors/github-secrets/destination.ts';
import { startRepoHostFake, type RepoHostFake } from '../sandbox/github-secrets/fake.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const KEYS = '{{ .SecretKey }}';
const PATHS = '{{ .SecretPath }}';

describe('names that a changed template gives to others', function () {
  let fake: RepoHostFake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startRepoHostFake();
    sealift = await startSealift({ environment: { SWEEP_INTERVAL: '200', RECHECK_MIN: '500' } });
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

  it('a name stays with its key where two keys of a secret come to one', async () => {
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

  const CHAIN = '{{ .SecretKey | replace "SECOND" "THIRD" | replace "FIRST" "SECOND" }}';

  it('a successor leaves a name alone while the key that has it cannot get its new name', async () => {
    await configure(KEYS);
    await sync('app', { FIRST: '1', SECOND: '2' });
    fake.plant({ name: 'THIRD', value: 'theirs' });
    await configure(CHAIN);
    await eventually(async () => {
      const shown = await driver.records('app');
      expect(
        shown.map((record) => `${record.sub_key} ${record.external_name} ${record.cause?.code}`),
      ).to.include.members(['FIRST SECOND not_replaced', 'SECOND THIRD conflict']);
      return true;
    });
    const before = { FIRST: '1', SECOND: '2', THIRD: 'theirs' };
    expect(outside()).to.deep.equal(before);
    fake.clearCalls();
    await driver.associate('app');
    await eventually(() => fake.callsOf('getSecret').some(({ target }) => target === 'THIRD'));
    expect(outside()).to.deep.equal(before);
    await fetch(`${fake.url}/repos/acme/web/actions/secrets/THIRD`, {
      method: 'DELETE',
      headers: { authorization: 'token ghp_valid' },
    });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
    expect(outside()).to.deep.equal({ SECOND: '1', THIRD: '2' });
    expect((await driver.records('app')).map((record) => record.external_name)).to.have.members([
      'SECOND',
      'THIRD',
    ]);
  });

  it('names go on along a chain of keys, the last of which has its new name first', async () => {
    await configure(KEYS);
    await sync('app', { FIRST: '1', SECOND: '2' });
    fake.clearCalls();
    await configure(CHAIN);
    await eventually(() => outside()['SECOND'] === '1');
    await driver.settles('app', 'SYNCED');
    expect(outside()).to.deep.equal({ SECOND: '1', THIRD: '2' });
    expect(fake.callsOf('putSecret').map(({ target }) => target)).to.deep.equal(['THIRD', 'SECOND']);
  });

  it('a free name goes at once to whoever waits for it', async () => {
    await configure(PATHS, 'secret-path');
    await sync('one', { is: 'first' });
    await sync('three', { is: 'third' });
    await configure('{{ .SecretPath | replace "three" "one" }}', 'secret-path');
    await eventually(async () =>
      (await driver.records('three')).some(({ cause }) => cause?.code === 'name_collision'),
    );
    await driver.dissociate('one');
    await driver.settles('three', 'SYNCED');
    expect(outside()).to.deep.equal({ ONE: '{"is":"third"}' });
  });

  const collisionOf = async (syncDriver: SyncDriver, secret: string): Promise<string> => {
    const { cause } = (await syncDriver.records(secret))[0] ?? {};
    expect(cause?.code).to.equal('name_collision');
    return cause?.message ?? '';
  };

  it('two destinations that want to swap names keep them until one secret is unlinked', async () => {
    const other = createSyncDriver(sealift, 'repo-host', 'other');
    const settings = {
      access_token: 'ghp_valid',
      repository_owner: 'acme',
      repository_name: 'web',
      granularity: 'secret-path',
    };
    await driver.configure({ ...settings, secret_name_template: 'LEFT' });
    await other.configure({ ...settings, secret_name_template: 'RIGHT' });
    await sync('left', { is: 'l' });
    await other.write('right', { is: 'r' });
    await other.associate('right');
    await other.settles('right', 'SYNCED');
    await driver.patch({ secret_name_template: 'RIGHT' });
    await other.patch({ secret_name_template: 'LEFT' });
    for (const [syncDriver, secret] of [
      [driver, 'left'],
      [other, 'right'],
    ] as const)
      await eventually(async () => (await collisionOf(syncDriver, secret)).includes('unlink one of them'));
    expect(outside()).to.deep.equal({ LEFT: '{"is":"l"}', RIGHT: '{"is":"r"}' });
    await driver.dissociate('left');
    await other.settles('right', 'SYNCED');
    await driver.associate('left');
    await driver.settles('left', 'SYNCED');
    expect(outside()).to.deep.equal({ LEFT: '{"is":"r"}', RIGHT: '{"is":"l"}' });
  });

  it('names are swapped between two keys of one secret', async () => {
    await configure(KEYS);
    await sync('app', { LEFT: 'l', RIGHT: 'r' });
    await configure(
      '{{ .SecretKey | replace "LEFT" "MIDDLE" | replace "RIGHT" "LEFT" | replace "MIDDLE" "RIGHT" }}',
    );
    await eventually(() => outside()['LEFT'] === 'r');
    await driver.settles('app', 'SYNCED');
    expect(outside()).to.deep.equal({ LEFT: 'r', RIGHT: 'l' });
  });

  it('secrets whose names wait in a circle keep them, say what to free, and go on once it is', async () => {
    await configure(PATHS, 'secret-path');
    const secrets = ['one', 'two', 'three'];
    for (const secret of secrets) await sync(secret, { is: secret });
    const before = outside();
    fake.clearCalls();
    await configure(
      '{{ .SecretPath | replace "one" "zero" | replace "two" "one" | replace "three" "two" | replace "zero" "three" }}',
      'secret-path',
    );
    for (const secret of secrets)
      await eventually(async () =>
        (await collisionOf(driver, secret)).includes(
          `if that one waits for ${secret.toUpperCase()}, which this secret has, unlink one of them`,
        ),
      );
    expect(outside()).to.deep.equal(before);
    expect([...fake.callsOf('putSecret'), ...fake.callsOf('deleteSecret')]).to.deep.equal([]);
    await driver.dissociate('one');
    for (const secret of ['two', 'three']) await driver.settles(secret, 'SYNCED');
    expect(outside()).to.deep.equal({ ONE: '{"is":"two"}', TWO: '{"is":"three"}' });
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
    expect(outside()).to.deep.equal({ ONE: '{"is":"two"}', TWO: '{"is":"three"}', THREE: '{"is":"one"}' });
  });

  for (const isUncertain of [false, true])
    it(`older entries of a key make room in a full store${isUncertain ? ', where none is certain' : ''}`, async () => {
      await configure('ONE_{{ .SecretKey }}');
      await sync('app', { KEY: 'value' });
      fake.addFault({ kind: 'error', operation: ['deleteSecret'] });
      await configure('TWO_{{ .SecretKey }}');
      await eventually(() => outside()['TWO_KEY'] === 'value');
      for (let free = 100 - fake.entries().length; free > 0; free -= 1)
        fake.plant({ name: `THEIRS_${free}`, value: 'theirs' });
      await configure('THREE_{{ .SecretKey }}');
      await eventually(async () =>
        (await driver.records('app')).some(({ cause }) => cause?.code === 'too_many_entries'),
      );
      expect(outside()).to.include({ ONE_KEY: 'value', TWO_KEY: 'value' });
      // The same update as for all entries of an association with a lost lease.
      if (isUncertain)
        await sealift.context
          .db('entries')
          .where({ owned: true })
          .update({ value_fingerprint: null, written_at: new Date(), uncertain_at: new Date() });
      fake.clearFaults();
      const shown: Record<string, unknown>[] = [];
      await eventually(() => {
        shown.push(outside());
        return outside()['THREE_KEY'] === 'value';
      });
      for (const entries of shown) expect(entries).to.satisfy(hasOneOf(['TWO_KEY', 'THREE_KEY']));
      await driver.settles('app', 'SYNCED');
      const ours = Object.keys(outside()).filter((name) => !name.startsWith('THEIRS'));
      expect(ours).to.deep.equal(['THREE_KEY']);
    });
});

const hasOneOf =
  (names: string[]) =>
  (entries: Record<string, unknown>): boolean =>
    names.some((name) => name in entries);
