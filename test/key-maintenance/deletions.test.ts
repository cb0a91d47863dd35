import { expect } from 'chai';
import { create, destinationPath } from '../api/sync/support.ts';
import { spawnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runNow, startMaintenance } from './support.ts';

const MANY = 2500;
const BATCH = 1000;

describe('a deletion of more rows than one batch', () => {
  let sealift: Sealift;
  let services: Awaited<ReturnType<typeof startMaintenance>>;

  beforeEach(async () => {
    sealift = await startSealift({ environment: { BATCH_ROWS: String(BATCH) } });
    services = await startMaintenance(sealift);
  });
  afterEach(() => sealift.stop());

  const count = async (table: string): Promise<number> => {
    const [row] = await sealift.context.db(table).count('* AS rows');
    return Number(row?.['rows']);
  };
  const mount = async (path: string) => {
    const answer = await sealift.client.post(`/v1/sys/mounts/${path}`, {
      type: 'kv',
      options: { version: '2' },
    });
    expect(answer.status, answer.text).to.equal(204);
  };
  const write = (path: string) => sealift.client.post(`/v1/${path}`, { data: { v: 1 } });
  // Inserts the rows that thousands of calls would have made.
  const multiply = (path: string) =>
    sealift.context.db.raw(
      `WITH made AS (
         INSERT INTO secrets (mount_id, path, current_version)
         SELECT id, 'n' || n, 1 FROM mounts, generate_series(1, ?) n WHERE path = ? RETURNING id)
       INSERT INTO secret_versions (secret_id, version, sealed) SELECT id, 1, '\\x00' FROM made`,
      [MANY, path],
    );
  const associate = async (destination: string) => {
    const { db } = sealift.context;
    await db.raw(
      `WITH made AS (
         INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path)
         SELECT 'root', d.id, s.mount_id, s.path FROM destinations d, secrets s
         JOIN mounts m ON m.id = s.mount_id
         WHERE d.name = ? AND m.path = 'team' AND m.namespace_id = 'root' RETURNING id, destination_id, mount_id, secret_path
       ), keys AS (
         INSERT INTO association_keys SELECT * FROM made RETURNING association_id, destination_id, secret_path
       )
       INSERT INTO entries (association_id, destination_id, sub_key, external_name, container, name_key)
       SELECT k.association_id, k.destination_id, '', k.secret_path, d.container, lower(k.secret_path)
       FROM keys k JOIN destinations d ON d.id = k.destination_id`,
      [destination],
    );
  };
  const populate = async () => {
    await mount('team');
    await multiply('team');
  };

  it('a deleted mount is gone at once, and its secrets when the job has run', async () => {
    await populate();
    expect((await sealift.client.delete('/v1/sys/mounts/team')).status).to.equal(204);
    expect(await count('secrets')).to.equal(MANY - BATCH);
    expect((await sealift.client.get('/v1/team/data/n2500')).status).to.equal(404);
    expect((await write('team/data/n2500')).status).to.equal(404);
    const { body } = await sealift.client.get('/v1/sys/mounts');
    expect(body.data).to.not.have.property('team/');
    await mount('team');
    expect((await sealift.client.get('/v1/team/metadata/?list=true')).status).to.equal(404);
    expect((await write('team/data/mine')).status).to.equal(200);
    expect(await runNow(services, 'finish-deletions')).to.include({ secrets: MANY - BATCH });
    expect(await count('secrets')).to.equal(1);
    expect((await sealift.client.get('/v1/team/data/mine')).status).to.equal(200);
    expect(await sealift.context.db('mounts').whereNull('namespace_id')).to.deep.equal([]);
  });

  it('a deleted destination is gone at once, and its rows when the job has run', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/namespaces/spare', {});
    await populate();
    await create(client, destinationPath('big'), { secret_name_template: '{{ .SecretPath }}' });
    await associate('big');
    expect((await client.delete(`${destinationPath('big')}?force_delete=true`)).status).to.equal(204);
    expect(await count('associations')).to.equal(MANY - BATCH);
    expect((await client.get(destinationPath('big'))).status).to.equal(404);
    expect((await client.get('/v1/sys/sync/associations?list=true')).status).to.equal(404);
    expect(
      (await client.get('/v1/sys/sync/associations/destinations?mount=team&secret_name=n2500')).status,
    ).to.equal(404);
    await create(client, destinationPath('big'), { secret_name_template: '{{ .SecretPath }}' });
    await write('team/data/n2500');
    const set = await client.post(
      `${destinationPath('big')}/associations/set`,
      { mount: 'team', secret_name: 'n2500' },
      { headers: { prefer: 'respond-async' } },
    );
    expect(set.status, set.text).to.be.oneOf([200, 202]);
    const summary = await runNow(services, 'finish-deletions');
    expect(summary).to.include({ associations: MANY - BATCH });
    expect(await count('associations')).to.equal(1);
    expect(await count('entries')).to.equal(1);
    expect(await count('destinations')).to.equal(1);
  });

  it('a job completes the deletion of a destination and its mount after its predecessor', async () => {
    await populate();
    await create(sealift.client, destinationPath('big'));
    await associate('big');
    await sealift.client.delete(`${destinationPath('big')}?force_delete=true`);
    expect((await sealift.client.delete('/v1/sys/mounts/team')).status).to.equal(204);
    const lock = await sealift.context.db.transaction();
    try {
      // The locked row is in the last batch of the associations, so the job stops before that batch.
      const [last] = await lock('associations').orderBy('id', 'desc').limit(1).forUpdate().select('id');
      expect(last).to.have.property('id');
      const job = await spawnProcess('programs/cli/main.js job finish-deletions', sealift.environment);
      await eventually(async () => (await count('associations')) === MANY - 2 * BATCH);
      await job.kill('SIGKILL');
    } finally {
      await lock.rollback();
    }
    expect(await count('associations')).to.equal(MANY - 2 * BATCH);
    // Postgres may take a moment to see that its client was killed.
    await eventually(() => runNow(services, 'finish-deletions'));
    for (const table of ['associations', 'entries', 'secrets', 'secret_versions', 'destinations'])
      expect(await count(table), table).to.equal(0);
    expect(await sealift.context.db('mounts').whereNull('namespace_id')).to.deep.equal([]);
  });
});
