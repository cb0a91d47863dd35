import { expect } from 'chai';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { examineDatabase } from '../../libs/service/diagnosis/database.ts';
import { contextReadiness } from '../../libs/service/health.ts';
import type { Answer } from '../support/client.ts';
import { createDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { HOSTILE } from '../support/hostile-settings.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const WRITERS = 8;
const ROUNDS = 6;

describe('settings that a role or database carries', () => {
  // Its writers compete for the same rows, and a loaded machine is several times slower.
  for (const ofRole of [false, true]) {
    describe(`carried by the ${ofRole ? 'role' : 'database'}`, () => {
      let sealift: Sealift;
      before(async () => {
        sealift = await startSealift({ carried: { settings: HOSTILE, ofRole } });
      });
      after(() => sealift.stop());

      it(`no setting of a ${ofRole ? 'role' : 'database'} reaches a session of the service`, async () => {
        const { rows } = await sealift.context.db.raw<{ rows: { name: string; value: string }[] }>(
          `SELECT name, current_setting(name) AS value FROM pg_settings WHERE source IN ('database', 'user', 'database user')`,
        );
        // What an operator may choose by the size of the machine.
        const free = /^(work_mem|temp_buffers|jit_.*above_cost)$/;
        expect(rows.filter(({ name }) => !free.test(name))).to.deep.equal([]);
      });

      it(`concurrent writes succeed whatever the ${ofRole ? 'role' : 'database'} carries`, async () => {
        const { client } = sealift;
        const written: Answer[] = [];
        const write = async (writer: number): Promise<void> => {
          for (let round = 0; round < ROUNDS; round += 1) {
            const id = `${writer}-${round}`;
            const answers = [
              await client.post('/v1/secret/data/shared', { data: { from: id, text: "a\\'b ü" } }),
              await client.post(`/v1/secret/data/own/${id}`, { data: { at: 1.1 } }),
              await client.post('/v1/secret/metadata/shared', { custom_metadata: { last: id } }),
              await client.call('PUT', '/v1/sys/policies/acl/shared', {
                policy: `path "secret/data/${id}" { capabilities = ["read"] }`,
              }),
              await client.post('/v1/auth/token/create', { ttl: '1h', display_name: id }),
              await client.post(`/v1/sys/namespaces/team-${id}`),
              await client.post(`/v1/sys/mounts/kv-${id}`, { type: 'kv-v2' }),
              await client.delete(`/v1/sys/mounts/kv-${id}`),
            ];
            written.push(...answers);
          }
        };
        await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
        const failed = written.filter(({ status }) => status >= 300);
        expect(failed.map(({ status, text }) => `${status} ${text}`)).to.deep.equal([]);
        const { body } = await client.get('/v1/secret/metadata/shared');
        expect(body.data.current_version).to.equal(WRITERS * ROUNDS);
        const read = await client.get('/v1/secret/data/shared');
        expect(read.body.data.data.text).to.equal("a\\'b ü");
        expect(Math.abs(Date.parse(read.body.data.metadata.created_time) - Date.now())).to.be.below(600_000);
      });
    });
  }

  it('the schema that the URL names has the tables, whatever search path the role carries', async () => {
    const database = await createDatabase({ settings: { search_path: 'nowhere' }, ofRole: true });
    const db = connect({
      url: `${database.url}?options=-csearch_path%3Down_schema`,
      poolSize: 1,
      name: 'test-schema',
    });
    await db.raw('CREATE SCHEMA own_schema');
    await migrate(db);
    const { rows } = await db.raw("SELECT to_regclass('own_schema.secrets') IS NOT NULL AS there");
    expect(rows).to.deep.equal([{ there: true }]);
    await db.destroy();
    await database.drop();
  });

  it('a role that may not switch its triggers on again is refused with the reason', async () => {
    const sealift = await startSealift();
    const { db } = sealift.context;
    const role = `limited_${process.pid}`;
    try {
      await db.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
      await db.raw(`ALTER ROLE ${role} SET session_replication_role = 'replica'`);
      const url = new URL(sealift.environment['DATABASE_URL'] ?? '');
      url.username = role;
      url.password = 'limited';
      const limited = connect({ url: url.href, poolSize: 1, name: 'test-limited' });
      const reason = await limited.raw('SELECT 1').then(
        () => undefined,
        (error: unknown) => error,
      );
      await limited.destroy();
      expect(reason).to.include({ name: 'SessionRefusedError', code: '42501' });
    } finally {
      await db.raw(`DROP ROLE ${role}`);
      await sealift.stop();
    }
  });
});

describe('a read-only phase of the database', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('changes are refused as read-only while the database is, and succeed afterwards', async () => {
    const { client, context } = sealift;
    const { rows } = await context.db.raw('SELECT current_database() AS name');
    const name = String(rows[0].name);
    const write = () => client.post('/v1/secret/data/phase', { data: { a: 1 } });
    const administer = await context.db.client.acquireConnection();
    await administer.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    // Every other session is renewed during the phase, as after any short loss of the network.
    await administer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    );
    const refused = await Promise.all([write(), write(), write()]);
    for (const { status, text, headers } of refused) {
      expect(status, text).to.equal(503);
      expect(text).to.contain('the database is read-only (25006)');
      expect(headers['retry-after']).to.equal('5');
    }
    expect((await client.get('/v1/sys/health', { token: null })).status).to.equal(503);
    const missing = await contextReadiness(context, { needsBroker: false })();
    expect(missing).to.deep.equal(['the database is read-only (25006)']);
    await administer.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await context.db.client.releaseConnection(administer);
    for (let count = 0; count < 20; count += 1) {
      const { status, text } = await eventually(async () => write());
      expect(status, text).to.equal(200);
    }
  });
});

describe('a role that may read but not change', () => {
  it('readiness tells that the database does not allow what the service needs', async () => {
    const sealift = await startSealift();
    const { db } = sealift.context;
    const role = `reader_${process.pid}`;
    const url = new URL(sealift.environment['DATABASE_URL'] ?? '');
    url.username = role;
    url.password = 'reader';
    await db.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT pg_read_all_data TO ${role}`);
    const reader = connect({ url: url.href, poolSize: 2, name: 'test-reader' });
    try {
      const missing = await contextReadiness({ ...sealift.context, db: reader }, { needsBroker: false })();
      expect(missing).to.have.length(1);
      expect(missing[0]).to.match(/: insert, update, delete on the table \w+; .* \(42501\)$/);
      const { findings } = await examineDatabase(reader, null);
      const finding = findings.find(({ check }) => check === 'changes');
      expect(finding?.state).to.equal('failed');
      expect(finding?.advice).to.contain('grant');
    } finally {
      await reader.destroy();
      await db.raw(`DROP ROLE ${role}`);
      await sealift.stop();
    }
  });
});

describe('what Postgres cannot do now', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.context.db.raw('CREATE SEQUENCE strikes');
  });
  after(() => sealift.stop());

  // The first `times` inserts of a version fail with the code. A sequence is not undone with its transaction.
  const strike = async (code: string, times: number): Promise<void> => {
    await sealift.context.db.raw(`
      ALTER SEQUENCE strikes RESTART;
      CREATE OR REPLACE FUNCTION strike() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('strikes') <= ${times} THEN RAISE EXCEPTION 'struck' USING ERRCODE = '${code}'; END IF;
        RETURN NEW;
      END $$;
      CREATE OR REPLACE TRIGGER strike BEFORE INSERT ON secret_versions FOR EACH ROW EXECUTE FUNCTION strike();`);
  };
  const write = () => sealift.client.post('/v1/secret/data/struck', { data: { a: 1 } });

  for (const code of ['40001', '40P01']) {
    it(`a write that Postgres ended with ${code} is made again`, async () => {
      await strike(code, 3);
      const { status, text } = await write();
      expect(status, text).to.equal(200);
    });
  }

  for (const code of [
    '40001',
    '57014',
    '55P03',
    '25006',
    '53100',
    '53200',
    '53300',
    '53400',
    '57P03',
    '42501',
  ]) {
    it(`a write that Postgres refuses with ${code} is 503 with the code and the time to try again`, async () => {
      await strike(code, 1000);
      const { status, text, headers } = await write();
      expect(status, text).to.equal(503);
      expect(text).to.contain(`(${code})`);
      expect(headers['retry-after']).to.equal('5');
      await strike(code, 0);
      expect((await write()).status).to.equal(200);
    });
  }
});
