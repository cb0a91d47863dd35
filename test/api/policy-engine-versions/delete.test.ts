import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { documentOf, newVersion, VERSIONS } from './support.ts';

describe('deletion of policy-engine versions', () => {
  let sealift: Sealift;
  let count = 0;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const create = async (attributes: Record<string, unknown> = {}): Promise<string> => {
    count += 1;
    const answer = await sealift.client.post(VERSIONS, documentOf(newVersion(`1.0.${count}`, attributes)));
    return `${VERSIONS}/${answer.body.data.id}`;
  };
  const use = (path: string, usage: string) => sealift.client.call('PUT', `${path}/usages/${usage}`);

  it('an unused version can be deleted, and then is gone', async () => {
    const path = await create();
    const answer = await sealift.client.delete(path);
    expect(answer.status).to.equal(204);
    expect(answer.text).to.equal('');
    expect((await sealift.client.get(path)).status).to.equal(404);
    expect((await sealift.client.delete(path)).status).to.equal(404);
  });

  it('an official version cannot be deleted until it is no longer official', async () => {
    const path = await create({ official: true });
    const refused = await sealift.client.delete(path);
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0].detail).to.match(/official/);
    await sealift.client.patch(path, documentOf({ official: false }));
    expect((await sealift.client.delete(path)).status).to.equal(204);
  });

  it('a used version cannot be deleted, and usage counts what uses it', async () => {
    const path = await create();
    for (const usage of ['workspaces/ws-1', 'workspaces/ws-1', 'policy-sets/ws-1', 'policy-sets/set%3Aa']) {
      expect((await use(path, usage)).status, usage).to.equal(204);
    }
    expect((await sealift.client.get(path)).body.data.attributes.usage).to.equal(3);
    const refused = await sealift.client.delete(path);
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0].detail).to.match(/used/);
    for (const usage of ['workspaces/ws-1', 'policy-sets/ws-1', 'policy-sets/set%3Aa', 'policy-sets/never']) {
      expect((await sealift.client.delete(`${path}/usages/${usage}`)).status).to.equal(204);
    }
    expect((await sealift.client.delete(path)).status).to.equal(204);
    expect((await use(path, 'workspaces/ws-1')).status).to.equal(404);
  });

  it('only a workspace or a policy set uses a version', async () => {
    expect((await use(await create(), 'projects/p-1')).status).to.equal(404);
  });

  it('a usage added during the delete either stops it or finds the version gone', async () => {
    for (let round = 0; round < 25; round += 1) {
      const path = await create();
      const [used, deleted] = await Promise.all([use(path, 'workspaces/ws-1'), sealift.client.delete(path)]);
      const pair = `${used.status} ${deleted.status}`;
      expect(['204 422', '404 204']).to.include(pair);
      const read = await sealift.client.get(path);
      expect(read.status).to.equal(deleted.status === 204 ? 404 : 200);
    }
  });

  it('a delete waits for a usage that is not yet committed', async () => {
    const path = await create();
    const id = path.split('/').at(-1);
    const transaction = await sealift.context.db.transaction();
    await transaction('policy_engine_version_usages').insert({
      version_id: id,
      kind: 'workspaces',
      usage_id: 'ws-1',
    });
    const deleting = sealift.client.delete(path);
    await transaction.commit();
    expect((await deleting).status).to.equal(422);
    expect((await sealift.client.get(path)).status).to.equal(200);
  });

  it('a used version cannot be deleted where Postgres tells RESTRICT apart, as 18 does', async () => {
    const path = await create();
    await use(path, 'workspaces/ws-1');
    const { db } = sealift.context;
    await db.raw(`
      CREATE FUNCTION restrict_as_postgres_18() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'violates RESTRICT setting' USING ERRCODE = '23001'; END $$;
      CREATE TRIGGER restrict_as_postgres_18 BEFORE DELETE ON policy_engine_versions
        FOR EACH ROW EXECUTE FUNCTION restrict_as_postgres_18()`);
    try {
      const refused = await sealift.client.delete(path);
      expect(refused.status, refused.text).to.equal(422);
      expect(refused.body.errors[0].detail).to.match(/used/);
    } finally {
      await db.raw(
        'DROP TRIGGER restrict_as_postgres_18 ON policy_engine_versions; DROP FUNCTION restrict_as_postgres_18',
      );
    }
  });
});
