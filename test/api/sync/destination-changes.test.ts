import { expect } from 'chai';
import { createServiceAccounts } from '../../sandbox/google-secret-manager/service-accounts.ts';
import { untilWaiting } from '../../support/lock-waits.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { unseal } from '../../../libs/crypto/seal.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret, repository, set } from './support.ts';

const KEYS = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'very/secret' };

describe('changes of a destination', () => {
  let sealift: Sealift;
  beforeEach(async () => {
    sealift = await startSealift();
  });
  afterEach(() => sealift.stop());

  const rowOf = (name: string) => sealift.context.db('destinations').where({ name }).first();
  const secretsOf = async (name: string) => {
    const row = await rowOf(name);
    return JSON.parse(
      unseal(sealift.context.keyring, row.sealed_settings, `destinations/${row.id}`).toString(),
    );
  };
  const patch = (name: string, body: object, type?: string) =>
    sealift.client.patch(destinationPath(name, type), body);

  it('POST replaces everything, PATCH only what it names, and null removes', async () => {
    const { client } = sealift;
    await create(client, destinationPath('prod'), {
      ...KEYS,
      region: 'eu-west-1',
      custom_tags: { a: '1', b: '2' },
    });
    const merged = expectOk(await patch('prod', { kms_key_id: 'alias/x', custom_tags: { a: null, c: '3' } }));
    expect(merged.connection_details).to.deep.equal({
      access_key_id: '*****',
      secret_access_key: '*****',
      region: 'eu-west-1',
      kms_key_id: 'alias/x',
    });
    expect(merged.options.custom_tags).to.deep.equal({ b: '2', c: '3' });
    expect(expectOk(await patch('prod', { region: null })).connection_details).to.not.have.property('region');
    const replaced = await create(client, destinationPath('prod'), { region: 'us-east-1' });
    expect(replaced.connection_details).to.deep.equal({ region: 'us-east-1' });
    expect(replaced.options.custom_tags).to.deep.equal({});
    expect((await rowOf('prod')).sealed_settings).to.equal(null);
  });

  it('a PATCH takes tags off by their keys', async () => {
    await create(sealift.client, destinationPath('prod'), { custom_tags: { a: '1', b: '2', c: '3' } });
    const answer = await patch('prod', { tags_to_remove: 'a,c,zzz' });
    expect(expectOk(answer).options.custom_tags).to.deep.equal({ b: '2' });
    expect(answer.body.warnings).to.equal(null);
  });

  it('a sensitive setting stays when only asterisks are sent for it', async () => {
    const { client } = sealift;
    await create(client, destinationPath('prod'), KEYS);
    expectOk(await patch('prod', { access_key_id: 'AKIAOTHER', secret_access_key: '***' }));
    expect(await secretsOf('prod')).to.deep.equal({ ...KEYS, access_key_id: 'AKIAOTHER' });
    await create(client, destinationPath('prod'), {
      access_key_id: '*****',
      secret_access_key: 'new',
      region: 'eu-west-1',
    });
    expect(await secretsOf('prod')).to.deep.equal({ access_key_id: 'AKIAOTHER', secret_access_key: 'new' });
    const nothingThere = await client.post(destinationPath('fresh', 'repo-host'), {
      ...repository,
      access_token: '*****',
    });
    expect(expectRefused(nothingThere, 400)).to.contain('access_token is required');
  });

  it('all credentials are asked for anew when the stored ones can no longer be opened', async () => {
    const { client, context } = sealift;
    await create(client, destinationPath('prod'), KEYS);
    await context.db('destinations').update({ sealed_settings: Buffer.alloc(100) });
    expect(expectOk(await client.get(destinationPath('prod'))).connection_details.access_key_id).to.equal(
      '*****',
    );
    expect(expectRefused(await patch('prod', { region: 'eu-west-1' }), 400)).to.contain(
      'send all of them again',
    );
    await create(client, destinationPath('prod'), KEYS);
    expect(await secretsOf('prod')).to.deep.equal(KEYS);
  });

  it('a change of granularity takes its default template along, and keeps a chosen one', async () => {
    await create(sealift.client, destinationPath('prod'));
    const changed = expectOk(await patch('prod', { granularity: 'secret-key' }));
    expect(changed.options).to.include({
      granularity_level: 'secret-key',
      secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
    });
    const chosen = '{{ .SecretPath }}/{{ .SecretKey }}';
    await patch('prod', { secret_name_template: chosen });
    expect(expectRefused(await patch('prod', { granularity: 'secret-path' }), 400)).to.contain('secret-path');
    const back = expectOk(await patch('prod', { granularity: null, secret_name_template: null }));
    expect(back.options.granularity_level).to.equal('secret-path');
  });

  it('a change makes every association due and bumps the revision, but not when nothing changed', async () => {
    const { client, context } = sealift;
    await create(client, destinationPath('prod'), KEYS);
    await putSecret(client, 'app/db');
    expectOk(await set(client, destinationPath('prod'), 'app/db'));
    const association = () => context.db('associations').first('generation', 'due_at');
    await context.db('associations').update({ due_at: null, synced_generation: 1 });
    await create(client, destinationPath('prod'), KEYS);
    await patch('prod', {});
    expect((await rowOf('prod')).revision).to.equal(1);
    expect(await association()).to.deep.equal({ generation: 1, due_at: null });
    await patch('prod', { custom_tags: { a: '1' } });
    expect((await rowOf('prod')).revision).to.equal(2);
    const due = await association();
    expect(due.generation).to.equal(2);
    expect(due.due_at).to.be.an.instanceOf(Date);
  });

  it('a change of the container of entries is refused while there are associations', async () => {
    const { client } = sealift;
    await create(client, destinationPath('web', 'repo-host'), repository);
    expectOk(await patch('web', { repository_name: 'site' }, 'repo-host'));
    await putSecret(client, 'app/db');
    expectOk(await set(client, destinationPath('web', 'repo-host'), 'app/db'));
    const text = expectRefused(await patch('web', { repository_name: 'other' }, 'repo-host'), 400);
    expect(text).to.contain('repository_name').and.to.contain('1 association');
    expectOk(await patch('web', { access_token: 'ghp_new' }, 'repo-host'));
  });

  it('credentials that lead to another project are refused, and others of the same project taken', async () => {
    const accounts = createServiceAccounts();
    const [here, again, elsewhere] = ['first-project', 'first-project', 'other-project'].map((project) => ({
      credentials: accounts.createKey(project),
    }));
    const change = (body: object = {}) => patch('cloud', body, 'cloud3-sm');
    await create(sealift.client, destinationPath('cloud', 'cloud3-sm'), here);
    await putSecret(sealift.client, 'app/db');
    expectOk(await set(sealift.client, destinationPath('cloud', 'cloud3-sm'), 'app/db'));
    expectOk(await change(again));
    const text = expectRefused(await change(elsewhere), 400);
    expect(text).to.contain('project_id').and.to.contain('1 association');
    expectOk(await change({ project_id: 'first-project' }));
    expectOk(await change(elsewhere));
    expectRefused(await change({ project_id: null }), 400);
    await sealift.context.db('destinations').update({ sealed_settings: Buffer.alloc(100) });
    expectOk(await change({ ...here, project_id: 'first-project' }));
  });

  it('a change is refused where the names in use are taken in the container it moves to', async () => {
    const { client } = sealift;
    const options = { secret_name_template: 'fixed', region: 'eu-west-1' };
    await create(client, destinationPath('one'), { ...KEYS, ...options });
    await create(client, destinationPath('two'), { ...KEYS, access_key_id: 'AKIAOTHER', ...options });
    for (const name of ['one', 'two']) {
      await putSecret(client, name);
      expectOk(await set(client, destinationPath(name), name));
    }
    expectRefused(await patch('two', { access_key_id: KEYS.access_key_id }), 409);
    expect((await secretsOf('two')).access_key_id).to.equal('AKIAOTHER');
    expectOk(await patch('two', { access_key_id: 'AKIATHIRD' }));
    const places = await sealift.context.db('entries').distinct('container');
    expect(places).to.have.length(2);
  });

  it('a change waits for a result that is being stored, and does not keep it from being stored', async () => {
    const { client, context } = sealift;
    await create(client, destinationPath('prod'), KEYS);
    await putSecret(client, 'app/db');
    expectOk(await set(client, destinationPath('prod'), 'app/db'));
    const storing = await context.db.transaction();
    await storing('associations').update({ failure: null });
    const changed = patch('prod', { access_key_id: 'AKIAOTHER' });
    await untilWaiting(context.db, 1);
    await storing.raw("SET LOCAL lock_timeout = '500ms'");
    await storing('entries').update({ status: 'SYNCED' });
    await storing.commit();
    expectOk(await changed);
  });

  it('a change of a missing destination is a 404', async () => {
    expectRefused(await patch('nobody', { region: 'eu-west-1' }), 404);
  });

  it('changes by many callers at once leave one destination', async () => {
    const regions = ['eu-west-1', 'eu-west-2', 'us-east-1', 'us-east-2'];
    const answers = await Promise.all(
      regions.map((region) => sealift.client.post(destinationPath('prod'), { region })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(await sealift.context.db('destinations').select('name')).to.have.length(1);
  });
});
