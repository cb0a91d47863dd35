import { expect } from 'chai';
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

  const historyOf = async (key: string) => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app`;
    const { history } = expectOk(await scene.sealift.client.get(path));
    return history.filter(({ sub_key: one }: { sub_key: string }) => one === key);
  };

  it('a key that has the newest value is told of once while another one is tried again', async () => {
    scene.fake.addFault({ kind: 'throttle', target: 'app-two' });
    await scene.driver.write('app', { one: '1', two: 'new' });
    await eventually(async () => (await historyOf('two')).length > 4);
    const said = (await historyOf('one')).map(({ action }: { action: string }) => action);
    expect(said, 'once for each version').to.deep.equal(['unchanged', 'create']);
    scene.fake.clearFaults();
    await scene.driver.settles('app', 'SYNCED');
    expect((await historyOf('two'))[0]).to.include({ action: 'update', outcome: 'SYNCED' });
  });

  it('a sync that a person asks for is told of every key, also where nothing changed', async () => {
    await scene.driver.associate('app');
    await eventually(async () => expect((await historyOf('one'))[0]).to.include({ action: 'unchanged' }));
    const [line] = await historyOf('one');
    expect(line.trigger).to.deep.include({ cause: 'sync' });
  });

  it('a link that waits for a rate limit is out of sync since the first version that it lacks', async () => {
    const { driver, fake } = scene;
    await driver.write('another', { one: '1' });
    await driver.associate('another');
    await driver.settles('another', 'SYNCED');
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 50 });
    await driver.write('another', { one: 'newer' });
    await driver.settles('another', 'THROTTLED');
    const begin = async () => (await driver.records('app'))[0]?.last_failure?.since;
    await driver.write('app', { one: '1', two: 'newer' });
    await driver.settles('app', 'THROTTLED');
    const first = await begin();
    await driver.write('app', { one: 'newer', two: 'newer' });
    expect(await begin()).to.equal(first);
    await driver.associate('app');
    expect(await begin()).to.equal(first);
  });

  it('a link of which two keys fail for one cause has failed since the first of them did', async () => {
    const { driver, fake } = scene;
    const begin = async () => {
      const path = `${driver.path}/associations/rows?cause=permission_missing`;
      return expectOk(await scene.sealift.client.get(path)).rows[0]?.since;
    };
    const fails = (keys: number) =>
      eventually(async () =>
        expect((await driver.records('app')).filter(({ cause }) => cause)).to.have.length(keys),
      );
    fake.addFault({ kind: 'denied', target: 'app-two' });
    await driver.write('app', { one: '1', two: 'newer' });
    await fails(1);
    const first = await begin();
    fake.addFault({ kind: 'denied', target: 'app-one' });
    await driver.write('app', { one: 'newer', two: 'newer' });
    await fails(2);
    expect(await begin())
      .to.be.a('string')
      .and.equal(first);
  });
});
