import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { createSyncDriver } from '../../support/sync-driver.ts';
import { expectOk } from './support.ts';

const BASE_NAME = { secret_name_template: '{{ .SecretBaseName }}' };
const PATHS = { secret_name_template: '{{ .SecretPath }}' };
const SAME_NAME =
  'secret_name_template gives several secrets the same name in the store: db (secret/one/db and secret/two/db). ' +
  'One keeps the name; the others fail until the template tells them apart, for example with {{ .SecretPath }}, ' +
  'or until they have a template of their own';

describe('names that a change of a destination makes equal', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const secret of ['one/db', 'two/db', 'two/mail']) {
      await scene.driver.write(secret, { user: secret, password: secret });
      await scene.driver.associate(secret);
      await scene.driver.settles(secret, 'SYNCED');
    }
  });
  after(() => scene.close());

  const warningsOf = async (change: object): Promise<string> => {
    const { status, body, text } = await scene.driver.patch({ ...change });
    expect(status, text).to.equal(200);
    return (body.warnings ?? []).join('\n');
  };

  it('a plan of a template that drops the path warns, and marks the second name as taken', async () => {
    const { client } = scene.sealift;
    const answer = await client.post(`${scene.driver.path}/plan`, { destination: BASE_NAME });
    const plan = expectOk(answer);
    expect(plan.totals).to.deep.equal({ rename: 2, taken: 1, retain: 1 });
    expect(plan.secrets[1].planned[0]).to.include({ external_name: 'db', action: 'taken' });
    expect(plan.secrets[1].planned[0].reason).to.contain('the secret one/db of mount secret/ gets this name');
    expect(answer.body.warnings).to.deep.equal([SAME_NAME]);
  });

  it('a change to such a template is made, warns of each name, and the loser keeps its entry', async () => {
    expect(await warningsOf(BASE_NAME)).to.equal(SAME_NAME);
    await scene.driver.settles('two/mail', 'SYNCED');
    await scene.driver.settles('two/db', 'CLIENT_SIDE_ERROR');
    expect((await scene.driver.records('two/db'))[0]?.cause?.code).to.equal('name_collision');
    const names = scene.fake.entries().map(({ name }) => name);
    expect(names).to.have.members(['db', 'two/db', 'mail']);
    expect(await warningsOf(PATHS)).to.equal('');
    await scene.driver.settles('two/db', 'SYNCED');
  });

  it('whoever may not read the secrets learns the names of none from the warning', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/policies/acl/changer', {
      policy: 'path "sys/sync/destinations/*" { capabilities = ["patch"] }',
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['changer'] });
    const patched = await client.patch(scene.driver.path, BASE_NAME, { token: made.body.auth.client_token });
    expect(patched.status, patched.text).to.equal(200);
    expect(patched.body.warnings.join()).to.contain('db (2 of them)').and.not.contain('one/db');
    expect(await warningsOf(PATHS)).to.equal('');
  });

  it('keys of several secrets with one name are warned of, a template of their own is not', async () => {
    await scene.driver.settles('one/db', 'SYNCED');
    expect(
      await warningsOf({
        granularity: 'secret-key',
        secret_name_template: '{{ .SecretPath }}_{{ .SecretKey }}',
      }),
    ).to.equal('');
    for (const secret of ['one/db', 'two/db', 'two/mail']) await scene.driver.settles(secret, 'SYNCED');
    const byKey = { secret_name_template: '{{ .SecretKey }}' };
    expect(await warningsOf(byKey))
      .to.contain('gives several keys the same name in the store')
      .and.contain('user (secret/one/db user, secret/two/db user and secret/two/mail user)')
      .and.contain('password (secret/one/db password, ')
      .and.contain('One keeps each name; the others fail');
    for (const secret of ['one/db', 'two/db']) {
      const own = `${secret}_{{ .SecretKey }}`;
      const wanted = { mount: 'secret', secret_name: secret, secret_name_template: own };
      expectOk(await scene.sealift.client.post(`${scene.driver.path}/associations/set`, wanted));
    }
    await warningsOf({ secret_name_template: '{{ .SecretPath }}_{{ .SecretKey }}' });
    expect(await warningsOf(byKey)).to.equal('');
  });

  it('a name that an entry of another destination has in the same store is warned of', async () => {
    const other = createSyncDriver(scene.sealift, 'cloud1-sm', 'other');
    expectOk(await other.configure({ ...cloud1Settings(), secret_name_template: 'other/{{ .SecretPath }}' }));
    await scene.driver.write('third', { user: 'third' });
    await other.associate('third');
    await other.settles('third', 'SYNCED');
    const taken = { granularity: 'secret-path', secret_name_template: 'other/third' };
    await scene.driver.write('only', { user: 'only' });
    for (const secret of ['one/db', 'two/db', 'two/mail']) await scene.driver.dissociate(secret);
    // The names of the former links are free once they are gone.
    await eventually(async () => expectOk(await scene.driver.associate('only')));
    expect(await warningsOf(taken)).to.contain(
      'several entries the same name in the store: other/third (secret/only and an entry of another destination)',
    );
  });
});
