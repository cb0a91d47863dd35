import { expect } from 'chai';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { eventually } from '../../support/eventually.ts';
import { githubWorker } from '../../support/github-worker.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { create, destinationPath, expectOk, expectRefused, putSecret, recordsOf, set } from './support.ts';

const TOKEN = { access_token: 'ghp_valid', secret_name_template: '{{ .SecretKey }}' };
const ORGANIZATION = { ...TOKEN, secrets_location: 'organization', organization_name: 'acme' };
const REPOSITORY = { ...TOKEN, repository_owner: 'acme', repository_name: 'web' };

describe('places of secrets at GitHub', () => {
  let fake: RepoHostFake;
  let sealift: Sealift;
  const org = destinationPath('org', 'repo-host');

  before(async () => {
    fake = await startRepoHostFake();
    sealift = await startSealift({ workers: { 'repo-host': githubWorker(fake) } });
    await putSecret(sealift.client, 'app', { TOKEN: 'one' });
  });
  afterEach(async () => {
    for (const name of ['org', 'web', 'bot'])
      await sealift.client.delete(`${destinationPath(name, 'repo-host')}?force_delete=true`);
    fake.reset();
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const link = async (path: string): Promise<void> => {
    const [record] = recordsOf(await set(sealift.client, path, 'app', { headers: {} }));
    expect(record, JSON.stringify(record)).to.include({ sync_status: 'SYNCED' });
  };

  it('a change of who reads the secrets of an organization reaches those that are there', async () => {
    await create(sealift.client, org, ORGANIZATION);
    await link(org);
    expect(fake.entries()[0]).to.include({ value: 'one', visibility: 'private' });
    const selected = { organization_visibility: 'selected', selected_repository_names: 'web,api' };
    expectOk(await sealift.client.patch(org, selected));
    await eventually(() =>
      expect(fake.entries()[0]).to.deep.include({ value: 'one', readers: ['acme/web', 'acme/api'] }),
    );
    expectOk(await sealift.client.post('/v1/secret/data/app', { data: { TOKEN: 'two' } }));
    await eventually(() =>
      expect(fake.entries()[0]).to.deep.include({ value: 'two', readers: ['acme/web', 'acme/api'] }),
    );
    expect(fake.entries()[0]).to.include({ versions: 3 });
  });

  it('settings of a place read back as they were sent, with the service', async () => {
    const selected = { organization_visibility: 'selected', selected_repository_names: ['web'] };
    const { connection_details: details } = await create(sealift.client, org, {
      ...ORGANIZATION,
      ...selected,
    });
    expect(details).to.deep.equal({
      access_token: '*****',
      secrets_location: 'organization',
      organization_name: 'acme',
      secrets_service: 'actions',
      ...selected,
    });
    const text = expectRefused(await sealift.client.patch(org, { selected_repository_names: [] }), 400);
    expect(text).to.contain('selected_repository_names is required');
    const half = await sealift.client.patch(org, { organization_visibility: null });
    expect(expectRefused(half, 400)).to.contain('needs organization_visibility "selected"');
  });

  it('one name may be written for Actions and for Dependabot of the same repository', async () => {
    const [web, bot] = [destinationPath('web', 'repo-host'), destinationPath('bot', 'repo-host')];
    await create(sealift.client, web, REPOSITORY);
    await create(sealift.client, bot, { ...REPOSITORY, secrets_service: 'dependabot' });
    await link(web);
    await link(bot);
    expect(fake.entries().map(({ name, service }) => [name, service])).to.deep.equal([
      ['TOKEN', 'actions'],
      ['TOKEN', 'dependabot'],
    ]);
    const moved = await sealift.client.patch(bot, { secrets_service: 'actions' });
    expect(expectRefused(moved, 400)).to.contain('secrets_service cannot change');
    expectOk(await sealift.client.patch(web, { secrets_service: 'actions' }));
  });
});
