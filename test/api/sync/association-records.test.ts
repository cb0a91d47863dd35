import { expect } from 'chai';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../../support/sandboxed.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret, recordsOf, set } from './support.ts';

describe('records of associations', () => {
  let sealift: Sealift;
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { 'cloud1-sm': cloud1Worker(fake) } });
    const secret_name_template = '{{ .SecretPath }}-{{ .SecretKey }}';
    await create(sealift.client, destinationPath('keys'), {
      ...cloud1Settings(),
      granularity: 'secret-key',
      secret_name_template,
    });
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const waiting = { headers: {} };
  const list = (query = '') => sealift.client.get(`${destinationPath('keys')}/associations${query}`);

  it('records are all there where the names of two secrets and their keys read alike', async () => {
    const { client } = sealift;
    await putSecret(client, 'a', { 'b/c': '1', plain: '2' });
    await putSecret(client, 'a/b', { c: '3', 'c#2': '4' });
    expectOk(await set(client, destinationPath('keys'), 'a', waiting));
    expectOk(await set(client, destinationPath('keys'), 'a/b', waiting));
    const { associated_secrets } = expectOk(await list());
    const [first] = recordsOf(await list());
    const shown = Object.entries<Record<string, unknown>>(associated_secrets).map(([key, record]) => [
      key.replace(`${String(first?.['accessor'])}/`, ''),
      record['secret_name'],
      record['sub_key'],
    ]);
    expect(shown).to.have.deep.members([
      ['a/b/c', 'a', 'b/c'],
      ['a/plain', 'a', 'plain'],
      ['a/b/c#2', 'a/b', 'c'],
      ['a/b/c#2#2', 'a/b', 'c#2'],
    ]);
  });

  it('the record of a secret without keys is SYNCED while a version is live, and else UNSYNCED', async () => {
    const { client } = sealift;
    await putSecret(client, 'hollow', {});
    const about = (answer: Awaited<ReturnType<typeof list>>) =>
      recordsOf(answer).filter((record) => record['secret_name'] === 'hollow');
    const [record] = about(await set(client, destinationPath('keys'), 'hollow', waiting));
    expect(record).to.include({ sync_status: 'SYNCED', source_version: 1, synced_version: 1, sub_key: '' });
    const found = expectOk(await client.get('/v1/sys/sync/associations/secret/hollow'));
    expect(found.associated_destinations['cloud1-sm/keys']).to.include({ sync_status: 'SYNCED' });
    await client.delete('/v1/secret/data/hollow');
    await eventually(async () => {
      const [later] = about(await list());
      expect(later).to.include({ sync_status: 'UNSYNCED', source_version: null, synced_version: null });
      return true;
    });
  });

  it('a record names what the store has under a former name until the new one is written', async () => {
    const { client } = sealift;
    await putSecret(client, 'moved', { key: '1' });
    expectOk(await set(client, destinationPath('keys'), 'moved', waiting));
    const record = async () => recordsOf(await list('?mount=secret&secret_name=moved'))[0];
    await eventually(async () => (await record())?.['sync_status'] === 'SYNCED');
    expect(await record()).to.not.have.property('other_entries');
    fake.addFault({ kind: 'error', status: 503 });
    expectOk(
      await client.post(`${destinationPath('keys')}/associations/set`, {
        mount: 'secret',
        secret_name: 'moved',
        secret_name_template: 'new-{{ .SecretKey }}',
      }),
    );
    await eventually(async () => (await record())?.['external_name'] === 'new-key');
    const others = [{ external_name: 'moved-key', synced_version: 1 }];
    expect(await record()).to.deep.include({ synced_version: null, other_entries: others });
    fake.clearFaults();
    await eventually(async () => (await record())?.['other_entries'] === undefined);
    expect(fake.entries().some(({ name }) => name === 'moved-key')).to.equal(false);
  });

  it('records begin at the first where `after` is empty', async () => {
    expect(expectOk(await list('?limit=1&after='))).to.deep.equal(expectOk(await list('?limit=1')));
  });

  it('records of a secret are found by either name of its path where the other is null or empty', async () => {
    const { client } = sealift;
    for (const body of [
      { secret_name: null, name: 'a' },
      { secret_name: '', name: 'a' },
      { secret_name: 'a', name: null },
    ]) {
      const answer = await client.post(`${destinationPath('keys')}/associations/plan`, {
        mount: 'secret',
        ...body,
      });
      expect(expectOk(answer).secret_name).to.equal('a');
    }
    const neither = { mount: 'secret', secret_name: null };
    const refused = await client.post(`${destinationPath('keys')}/associations/plan`, neither);
    expect(expectRefused(refused, 400)).to.contain('secret_name is required');
  });

  it('the history of a record has pages that begin at a number that an attempt can have', async () => {
    const history = (before: string) =>
      sealift.client.get(
        `${destinationPath('keys')}/associations/history?mount=secret&secret_name=a&before=${before}`,
      );
    expect(expectOk(await history('9007199254740991')).history).to.not.have.length(0);
    for (const before of ['99999999999999999999', '1e400', '0', '-1']) {
      expect(expectRefused(await history(before), 400), before).to.contain('before must be');
    }
  });
});
