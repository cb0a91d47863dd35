import { expect } from 'chai';
import type { AttemptAnswer } from '../../../services/api/contract/associations.ts';
import type { StoryLineAnswer } from '../../../services/api/contract/story.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('the entries that the history of a link names', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('app/db', { user: 'app' });
    await scene.driver.associate('app/db');
    await scene.driver.settles('app/db', 'SYNCED');
  });
  after(() => scene.close());

  const history = async (): Promise<AttemptAnswer[]> => {
    const query = 'mount=secret&secret_name=app/db';
    return expectOk(await scene.sealift.client.get(`${scene.driver.path}/associations/history?${query}`))
      .history;
  };
  const lines = async (): Promise<string[]> =>
    (await history()).toReversed().map(({ action, external_name: name }) => `${action} ${name}`);

  it('the history of a renamed entry tells which was created and which was deleted', async () => {
    expectOk(await scene.driver.patch({ secret_name_template: 'new/{{ .SecretPath }}' }));
    await scene.driver.settles('app/db', 'SYNCED');
    expect(await lines()).to.deep.equal(['create app/db', 'create new/app/db', 'delete app/db']);
    const { story } = expectOk(await scene.sealift.client.get('/v1/sys/story/secret/app/db'));
    const pushes = (story as StoryLineAnswer[]).flatMap((line) => (line.kind === 'push' ? [line] : []));
    expect(pushes.map(({ external_name: name }) => name)).to.deep.equal(['app/db', 'new/app/db', 'app/db']);
  });

  it('the history names the entry that somebody changed, and the one that cannot be written', async () => {
    const entry = scene.fake.entries().find(({ name }) => name === 'new/app/db');
    scene.fake.plant({ ...entry, name: 'new/app/db', value: 'theirs' });
    const secret = { mount: 'secret', secret_name: 'app/db' };
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, secret));
    expect((await lines()).at(-1)).to.equal('changed new/app/db');
    scene.fake.plant({ name: 'taken/app/db', value: 'theirs' });
    expectOk(await scene.driver.patch({ secret_name_template: 'taken/{{ .SecretPath }}' }));
    await scene.driver.settles('app/db', 'CLIENT_SIDE_ERROR');
    expect((await lines()).at(-1)).to.equal('create taken/app/db');
  });

  it('a line that was recorded before names were kept has none', async () => {
    const { db } = scene.sealift.context;
    await db('sync_history').update({ external_name: null });
    expect(new Set((await history()).map(({ external_name: name }) => name))).to.deep.equal(new Set([null]));
  });
});
