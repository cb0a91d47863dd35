import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { loadConfig } from '../../libs/config/config.ts';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { seal, unseal } from '../../libs/crypto/seal.ts';
import { createLog } from '../../libs/log/log.ts';
import { closeContext, openContext } from '../../libs/service/context.ts';
import { sealedColumns } from '../../libs/store/maintenance/sealed-columns.ts';
import { createMaintenanceServices } from '../../services/key-maintenance/services.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runNow, startMaintenance } from './support.ts';

describe('a change of the master key', () => {
  let sealift: Sealift;
  let destinationId: number;
  const VERSIONS = 1203;
  const newKey = randomBytes(32).toString('base64');
  before(async () => {
    sealift = await startSealift();
    const { db, keyring } = sealift.context;
    const mount = await db('mounts').first('id');
    const [secret] = await db('secrets').insert({ mount_id: mount.id, path: 'many' }).returning('id');
    const rows = Array.from({ length: VERSIONS }, (_, index) => ({
      secret_id: secret.id,
      version: index + 1,
      sealed: seal(keyring, `value ${index + 1}`, `secret_versions/${secret.id}/${index + 1}`),
    }));
    await db.batchInsert('secret_versions', rows, 200);
    await db('secret_versions').insert({ secret_id: secret.id, version: 5000, destroyed: true });
    const [destination] = await db('destinations')
      .insert({
        namespace_id: 'root',
        type: 'repo-host',
        name: 'd',
        settings: {},
        container: 'p',
        granularity: 'secret-key',
        secret_name_template: 'x',
      })
      .returning('id');
    destinationId = destination.id;
    const sealed = seal(keyring, '{"access_token":"t"}', `destinations/${destinationId}`);
    await db('destinations').where({ id: destinationId }).update({ sealed_settings: sealed });
    await db('settings').insert({ kind: 'smtp', sealed: seal(keyring, '{"password":"p"}', 'settings/smtp') });
    expect((await sealift.client.get('/.well-known/jwks')).status).to.equal(200);
  });
  after(() => sealift.stop());

  const withKeys = async <Result>(
    variables: { SEALIFT_MASTER_KEY: string; SEALIFT_OLD_MASTER_KEYS?: string },
    work: (services: ReturnType<typeof createMaintenanceServices>) => Promise<Result>,
  ): Promise<Result> => {
    const config = loadConfig({ ...sealift.environment, ...variables });
    const log = createLog({ service: 'test', level: 'silent' });
    const context = await openContext({ config, log, name: 'rewrap' });
    try {
      return await work(createMaintenanceServices(context));
    } finally {
      await closeContext(context);
    }
  };
  const oldKey = () => sealift.environment['SEALIFT_MASTER_KEY'] ?? '';

  it('every column of sealed values in the schema is known to the job', async () => {
    const { rows } = await sealift.context.db.raw(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name LIKE '%sealed%'`,
    );
    expect(rows.map((row: { name: string }) => row.name).toSorted()).to.deep.equal(
      sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
    );
  });

  it('nothing is wrapped anew without a change', async () => {
    const services = await startMaintenance(sealift);
    expect(await runNow(services, 'rewrap-sealed-values')).to.deep.equal({ rewrapped: 0, problems: 0 });
  });

  it('a value that was damaged is told and stops nothing, and a run by hand then fails', async () => {
    const { db } = sealift.context;
    const row = await db('settings').where({ kind: 'smtp' }).first('sealed');
    const damaged = Buffer.from(row.sealed);
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    await db('settings').where({ kind: 'smtp' }).update({ sealed: damaged });
    const summary = await withKeys(
      { SEALIFT_MASTER_KEY: newKey, SEALIFT_OLD_MASTER_KEYS: oldKey() },
      (services) => runNow(services, 'rewrap-sealed-values'),
    );
    await db('settings').where({ kind: 'smtp' }).update({ sealed: row.sealed });
    // One hash key, one destination, one signing key, and all versions.
    expect(summary).to.deep.equal({ rewrapped: VERSIONS + 3, problems: 1 });
    expect(await db('jobs').where({ name: 'rewrap-sealed-values' }).first('outcome')).to.deep.equal({
      outcome: 'failed',
    });
  });

  it('every value opens with the new key alone afterwards', async () => {
    const summary = await withKeys(
      { SEALIFT_MASTER_KEY: newKey, SEALIFT_OLD_MASTER_KEYS: oldKey() },
      (services) => runNow(services, 'rewrap-sealed-values'),
    );
    expect(summary).to.deep.equal({ rewrapped: 1, problems: 0 });
    const keyring = createKeyring(Buffer.from(newKey, 'base64'));
    await withKeys({ SEALIFT_MASTER_KEY: newKey }, async ({ db, installation }) => {
      expect(installation.hashKey).to.deep.equal(sealift.context.installation.hashKey);
      for (const row of await db('secret_versions').whereNotNull('sealed')) {
        const plain = unseal(keyring, row.sealed, `secret_versions/${row.secret_id}/${row.version}`);
        expect(plain.toString()).to.equal(`value ${row.version}`);
      }
      const destination = await db('destinations').where({ id: destinationId }).first();
      const settings = unseal(keyring, destination.sealed_settings, `destinations/${destinationId}`);
      expect(settings.toString()).to.equal('{"access_token":"t"}');
      for (const row of await db('oidc_keys'))
        unseal(keyring, row.sealed_private_jwk, `oidc_keys/${row.kid}`);
    });
  });
});
