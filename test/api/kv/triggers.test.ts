import { expect } from 'chai';
import { insertAssociations } from '../../support/associations.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('triggers of KV version 2', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const { db } = sealift.context;
    const [destination] = await db('destinations')
      .insert({
        namespace_id: 'root',
        type: 'cloud1-sm',
        name: 'd',
        container: 'here',
        settings: {},
        granularity: 'secret-path',
        secret_name_template: '{{ .SecretPath }}',
      })
      .returning('id');
    const mount = await db('mounts').where({ path: 'secret' }).first('id');
    await insertAssociations(
      db,
      ['app', 'other'].map((path) => ({
        destination_id: destination.id,
        mount_id: mount.id,
        secret_path: path,
        due_at: null,
      })),
    );
  });
  after(() => sealift.stop());

  const state = async (path: string): Promise<{ generation: number; due_at: Date | null }> =>
    sealift.context.db('associations').where({ secret_path: path }).first('generation', 'due_at');

  it('every change of a secret makes its associations alone due', async () => {
    const { client } = sealift;
    const changes = [
      () => client.post('/v1/secret/data/app', { data: { a: 1 } }),
      () => client.patch('/v1/secret/data/app', { data: { b: 2 } }),
      () => client.delete('/v1/secret/data/app'),
      () => client.post('/v1/secret/undelete/app', { versions: [2] }),
      () => client.post('/v1/secret/delete/app', { versions: [1] }),
      () => client.post('/v1/secret/destroy/app', { versions: [1] }),
      () => client.delete('/v1/secret/metadata/app'),
    ];
    let { generation } = await state('app');
    for (const change of changes) {
      await sealift.context.db('associations').update({ due_at: null });
      expect((await change()).status).to.be.oneOf([200, 204]);
      const now = await state('app');
      expect(now.generation).to.equal(generation + 1);
      expect(now.due_at).to.be.instanceOf(Date);
      generation = now.generation;
    }
    expect(await state('other')).to.deep.equal({ generation: 1, due_at: null });
  });

  it('a refused write and a change of metadata make no association due', async () => {
    await sealift.client.post('/v1/secret/data/app', { data: { a: 1 } });
    const before = await state('app');
    await sealift.client.post('/v1/secret/data/app', { data: { a: 2 }, options: { cas: 9 } });
    await sealift.client.post('/v1/secret/metadata/app', { custom_metadata: { a: 'b' } });
    await sealift.client.get('/v1/secret/data/app');
    expect(await state('app')).to.deep.equal(before);
  });

  it('a mount with associations is not dropped, and the refusal says how many there are', async () => {
    const answer = await sealift.client.delete('/v1/sys/mounts/secret');
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0]).to.contain('2 associations').and.to.contain('associations/remove');
    expect((await sealift.client.get('/v1/secret/data/app')).status).to.equal(200);
  });
});
