import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('a key that holds up its link', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    const settings = {
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}-{{ .SecretKey }}',
    };
    scene = await openCloud1Scene({ settings });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('app', { one: '1', two: '2' });
    await scene.driver.associate('app');
    await scene.driver.settles('app', 'SYNCED');
  });

  afterEach(() => scene.close());

  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await scene.driver.records('app')).map(({ sub_key: key, sync_status: status }) => [key, status]),
    );
  const historyOf = async (key: string) => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app`;
    const { history } = expectOk(await scene.sealift.client.get(path));
    return history.filter(({ sub_key: one }: { sub_key: string }) => one === key);
  };

  it('the keys that have the newest value stay in sync while another one is rate limited', async () => {
    scene.fake.addFault({ kind: 'throttle', target: 'app-two' });
    await scene.driver.write('app', { one: '1', two: 'new' });
    await eventually(async () => (await historyOf('two')).length > 3);
    for (let time = 0; time < 20; time += 1) {
      const { one, two } = await statuses();
      expect(one).to.equal('SYNCED');
      expect(two).to.be.oneOf(['THROTTLED', 'PENDING', 'SYNCING']);
      await sleep(100);
    }
    const said = (await historyOf('one')).map(({ action }: { action: string }) => action);
    expect(said, 'once for each version').to.deep.equal(['unchanged', 'create']);
    scene.fake.clearFaults();
    await scene.driver.settles('app', 'SYNCED');
    expect((await historyOf('two'))[0]).to.include({ action: 'update', outcome: 'SYNCED' });
  });

  it('no key counts as in sync before an attempt has compared it with the newest value', async () => {
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/pause`, {}));
    await scene.driver.write('app', { one: 'new', two: '2' });
    expect(await statuses()).to.deep.equal({ one: 'PENDING', two: 'PENDING' });
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/resume`, {}));
    await scene.driver.settles('app', 'SYNCED');
  });

  it('a sync that a person asks for is told of every key, also where nothing changed', async () => {
    await scene.driver.associate('app');
    await eventually(async () => expect((await historyOf('one'))[0]).to.include({ action: 'unchanged' }));
    const [line] = await historyOf('one');
    expect(line.trigger).to.deep.include({ cause: 'sync' });
  });
});
