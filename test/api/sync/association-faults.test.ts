import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import {
  destinationPath,
  create,
  expectOk,
  expectRefused,
  noWait,
  putSecret,
  recordsOf,
  repository,
  set,
} from './support.ts';

const TEMPLATE = '{{ .SecretBaseName }}_{{ .SecretKey }}';

describe('refused associations', () => {
  let sealift: Sealift;
  beforeEach(async () => {
    sealift = await startSealift({ environment: { AMBIENT_CREDENTIALS: 'all' } });
    const { client } = sealift;
    await create(client, destinationPath('prod'), {
      region: 'eu-west-1',
      secret_name_template: '{{ .SecretBaseName }}',
    });
    await create(client, destinationPath('web', 'repo-host'), {
      ...repository,
      secret_name_template: TEMPLATE,
    });
    await putSecret(client, 'app/db');
  });
  afterEach(() => sealift.stop());

  const web = destinationPath('web', 'repo-host');
  const associations = () => sealift.context.db('associations').select('secret_path');

  it('a missing or KV version 1 mount and a missing or deleted secret are refused, each by name', async () => {
    const { client } = sealift;
    expect(
      expectRefused(await set(client, destinationPath('prod'), 'x', { mount: 'nowhere' }), 400),
    ).to.contain('nowhere/');
    await client.post('/v1/sys/mounts/old', { type: 'kv', options: { version: '1' } });
    await client.post('/v1/old/x', { a: '1' });
    expect(expectRefused(await set(client, destinationPath('prod'), 'x', { mount: 'old' }), 400)).to.contain(
      'KV version 1',
    );
    expect(expectRefused(await set(client, destinationPath('prod'), 'no/such'), 400)).to.contain(
      'no secret no/such',
    );
    await client.delete('/v1/secret/data/app/db');
    expect(expectRefused(await set(client, destinationPath('prod'), 'app/db'), 400)).to.contain(
      'live version',
    );
    expect(await associations()).to.have.length(0);
  });

  it('a body without mount or name, and names that no secret has, are refused', async () => {
    const { client } = sealift;
    const post = async (body: object) =>
      expectRefused(await client.post(`${destinationPath('prod')}/associations/set`, body), 400);
    expect(await post({ secret_name: 'app/db' })).to.contain('mount is required');
    expect(await post({ mount: 'secret' })).to.contain('secret_name is required');
    expect(await post({ mount: 'secret', secret_name: 'app/' })).to.contain('full path');
    expect(await post({ mount: 'secret', secret_name: 'a\0b' })).to.contain('control characters');
    expect(await post({ mount: ['secret'], secret_name: 'app/db' })).to.contain('mount');
  });

  it('an association at a missing destination is a 404', async () => {
    expect(expectRefused(await set(sealift.client, destinationPath('nobody'), 'app/db'), 404)).to.contain(
      'cloud1-sm/nobody',
    );
    expectRefused(await set(sealift.client, destinationPath('prod', 'nonsense'), 'app/db'), 404);
  });

  it('an association needs the right to read the secret when it is set', async () => {
    const { client } = sealift;
    const policy = {
      path: {
        'sys/sync/destinations/*': { capabilities: ['create', 'update', 'read'] },
        'secret/data/open/*': { capabilities: ['read'] },
      },
    };
    await client.call('PUT', '/v1/sys/policies/acl/syncer', { policy: JSON.stringify(policy) });
    const made = await client.post('/v1/auth/token/create', { policies: ['syncer'] });
    const as = { token: made.body.auth.client_token };
    await putSecret(client, 'open/x');
    expect(expectRefused(await set(client, destinationPath('prod'), 'app/db', as), 403)).to.equal(
      'permission denied to read the content of the secret app/db in mount secret',
    );
    expectRefused(await set(client, destinationPath('prod'), 'app/db/', as), 400);
    expectRefused(await set(client, destinationPath('prod'), 'open/../app/db', as), 400);
    expectOk(await set(client, destinationPath('prod'), 'open/x', as));
    const plan = { mount: 'secret', secret_name: 'app/db' };
    expectRefused(await client.post(`${destinationPath('prod')}/associations/plan`, plan, as), 403);
  });

  it('an association is refused where another secret has the external name, which is named', async () => {
    const { client } = sealift;
    await putSecret(client, 'other/db');
    expectOk(await set(client, destinationPath('prod'), 'app/db'));
    const text = expectRefused(await set(client, destinationPath('prod'), 'other/db'), 409);
    expect(text).to.contain('db is used by the secret app/db of mount secret/ at cloud1-sm/prod');
    expect(await associations()).to.deep.equal([{ secret_path: 'app/db' }]);
    await client.post(
      `${destinationPath('prod')}/associations/remove`,
      { mount: 'secret', secret_name: 'app/db' },
      noWait,
    );
    expect(expectRefused(await set(client, destinationPath('prod'), 'other/db'), 409)).to.contain(
      'being removed',
    );
  });

  it('an association is refused where two destinations of one container would write one name', async () => {
    const { client } = sealift;
    await create(client, destinationPath('twin'), { region: 'eu-west-1', secret_name_template: 'db' });
    await create(client, destinationPath('far'), { region: 'us-east-1', secret_name_template: 'db' });
    expectOk(await set(client, destinationPath('prod'), 'app/db'));
    expect(expectRefused(await set(client, destinationPath('twin'), 'app/db'), 409)).to.contain(
      'cloud1-sm/prod',
    );
    expectOk(await set(client, destinationPath('far'), 'app/db'));
  });

  it('an association is refused where names differ only in what the store does not tell apart', async () => {
    const { client } = sealift;
    await putSecret(client, 'one/app', { 'my-key': 'x' });
    await putSecret(client, 'two/App', { MY_KEY: 'x' });
    await putSecret(client, 'both', { 'a-b': '1', a_b: '2' });
    expectOk(await set(client, web, 'one/app'));
    await create(client, destinationPath('same', 'repo-host'), {
      ...repository,
      repository_owner: 'ACME',
      secret_name_template: TEMPLATE,
    });
    expect(expectRefused(await set(client, web, 'two/App'), 409)).to.contain('APP_MY_KEY');
    expect(expectRefused(await set(client, destinationPath('same', 'repo-host'), 'two/App'), 409)).to.contain(
      'repo-host/web',
    );
    const text = expectRefused(await set(client, web, 'both'), 409);
    expect(text).to.contain('a-b').and.to.contain('a_b').and.to.contain('BOTH_A_B');
    expect(await associations()).to.have.length(1);
  });

  it('a refusal tells nothing of another namespace beyond that the name is taken', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/tenant');
    const inside = { namespace: 'tenant' };
    await client.post('/v1/sys/mounts/kv', { type: 'kv-v2' }, inside);
    await putSecret(client, 'db', { a: '1' }, 'kv', inside);
    await create(client, destinationPath('spy'), { region: 'eu-west-1', secret_name_template: 'db' }, inside);
    expectOk(await set(client, destinationPath('prod'), 'app/db'));
    expectRefused(await set(client, destinationPath('spy'), 'app/db', inside), 400);
    const text = expectRefused(
      await set(client, destinationPath('spy'), 'db', { ...inside, mount: 'kv' }),
      409,
    );
    expect(text).to.equal('the external name db is used by another association');
    expectRefused(await set(client, destinationPath('prod'), 'db', { ...inside, mount: 'kv' }), 404);
    expect((await client.list('/v1/sys/sync/associations', inside)).status).to.equal(404);
    expect((await client.get('/v1/sys/sync/associations/secret/app/db', inside)).status).to.equal(404);
  });

  it('a name or a number of entries that the store does not take is refused', async () => {
    const { client } = sealift;
    await putSecret(client, 'x'.repeat(300), { a: '1' });
    expect(expectRefused(await set(client, web, 'x'.repeat(300)), 400)).to.contain(
      'the store allows at most 255',
    );
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, '']));
    await putSecret(client, 'many', many);
    expect(expectRefused(await set(client, web, 'many'), 400)).to.contain('at most 100 entries');
    await putSecret(client, 'odd', { 'a\0b': 'x' });
    expect(expectRefused(await set(client, web, 'odd'), 400)).to.contain('null character');
    expect(await associations()).to.have.length(0);
  });

  it('only one of two associations that are set at once with one name comes to be', async () => {
    const { client } = sealift;
    const secrets = ['p/db', 'q/db', 'r/db', 's/db'];
    for (const secret of secrets) await putSecret(client, secret);
    const answers = await Promise.all(secrets.map((secret) => set(client, destinationPath('prod'), secret)));
    const statuses = answers.map(({ status }) => status).toSorted((left, right) => left - right);
    expect(statuses).to.deep.equal([200, 409, 409, 409]);
    expect(await associations()).to.have.length(1);
  });

  it('an association that is set many times at once is one', async () => {
    const { client } = sealift;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => set(client, destinationPath('prod'), 'app/db')),
    );
    for (const answer of answers) expect(recordsOf(answer)).to.have.length(1);
    expect(await associations()).to.have.length(1);
    expect(await sealift.context.db('entries').select('id')).to.have.length(1);
  });
});
