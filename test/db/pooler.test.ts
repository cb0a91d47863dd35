import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { connect } from '../../libs/db/connect.ts';
import { runCommand } from '../cli/support.ts';
import type { Answer } from '../support/client.ts';
import { createDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { HOSTILE } from '../support/hostile-settings.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { startPooler, type Pooler } from '../support/pooler.ts';
import { cloud1Worker, openCloud1Scene } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const WRITERS = 8;
const ROUNDS = 4;

describe('a connection pooler before Postgres', () => {
  for (const mode of ['transaction', 'session'] as const) {
    describe(`a pooler in ${mode} mode`, () => {
      let pooler: Pooler;
      let sealift: Sealift;
      before(async () => {
        pooler = await startPooler({
          url: infrastructure().databaseUrl,
          mode,
          more: mode === 'session' ? ['default_pool_size = 40'] : [],
        });
        sealift = await startSealift({
          carried: { settings: { ...HOSTILE, statement_timeout: "'2s'", idle_session_timeout: '0' } },
          through: pooler.urlOf,
        });
      });
      after(async () => {
        await sealift.stop();
        await pooler.discard();
      });

      it(`many writes and reads at once succeed through a pooler in ${mode} mode`, async () => {
        const { client } = sealift;
        const answers: Answer[] = [];
        const work = async (writer: number): Promise<void> => {
          for (let round = 0; round < ROUNDS; round += 1) {
            const path = `/v1/secret/data/${writer}`;
            answers.push(
              await client.post(path, { data: { round, text: "a\\'b" } }),
              await client.post('/v1/secret/data/shared', { data: { writer } }),
              await client.post('/v1/auth/token/create', { ttl: '1h' }),
            );
            const read = await client.get(path);
            answers.push(
              read,
              await client.get('/v1/secret/metadata/shared'),
              await client.list('/v1/secret/metadata'),
            );
            expect(read.body.data?.data, read.text).to.deep.equal({ round, text: "a\\'b" });
          }
        };
        await Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));
        expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).to.deep.equal([]);
        const { body } = await client.get('/v1/secret/metadata/shared');
        expect(body.data.current_version).to.equal(WRITERS * ROUNDS);
      });

      it(`nothing that a process sets stays in a session that a pooler in ${mode} mode lends`, async () => {
        const { db } = sealift.context;
        const { rows } = await db.raw(
          "SELECT current_setting('jit') AS jit, count(*) FROM pg_prepared_statements",
        );
        expect(rows).to.deep.equal([{ jit: 'off', count: 0 }]);
        const other = new pg.Client({ connectionString: sealift.environment['DATABASE_URL'] });
        await other.connect();
        const found = await other.query("SELECT current_setting('timezone') AS zone");
        await other.end();
        expect(found.rows).to.deep.equal([{ zone: 'Pacific/Kiritimati' }]);
      });
    });
  }

  it('a secret reaches its store where every process works through a pooler', async () => {
    const pooler = await startPooler({ url: infrastructure().databaseUrl, mode: 'transaction' });
    const scene = await openCloud1Scene({ through: pooler.urlOf });
    try {
      const { sealift, fake } = scene;
      await sealift.start('worker', cloud1Worker(fake));
      await sealift.client.post('/v1/secret/data/app/one', { data: { a: '1' } });
      await sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/prod/associations/set', {
        mount: 'secret',
        secret_name: 'app/one',
      });
      await eventually(async () => {
        const { body } = await sealift.client.get('/v1/sys/sync/summary');
        return body.data.by_status['SYNCED'] === 1;
      });
    } finally {
      await scene.close();
      await pooler.discard();
    }
  });

  it('a pooler lends sessions that write again after a read-only phase of the database', async () => {
    const pooler = await startPooler({ url: infrastructure().databaseUrl, mode: 'transaction' });
    const sealift = await startSealift({ through: pooler.urlOf });
    const { url } = sealift.database;
    const direct = connect({ url, poolSize: 1, name: 'test-direct' });
    const name = new URL(url).pathname.slice(1);
    const write = () => sealift.client.post('/v1/secret/data/phase', { data: { a: 1 } });
    try {
      await direct.raw(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await direct.raw(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
      );
      await eventually(async () => {
        const { status, text } = await write();
        return status === 503 && text.includes('25006');
      });
      await direct.raw(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      for (let count = 0; count < 20; count += 1) {
        const { status, text } = await write();
        expect(status, text).to.equal(200);
      }
    } finally {
      await direct.destroy();
      await sealift.stop();
      await pooler.discard();
    }
  });

  const examine = async (environment: Record<string, string>) => {
    const { stdout } = await runCommand(['doctor', '--no-egress', '--json'], {
      AMQP_URL: infrastructure().amqpUrl,
      SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
      ...environment,
    });
    const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
    return findings.find(({ check }) => check === 'database');
  };

  it('`doctor` tells that a pooler stands before Postgres', async () => {
    const pooler = await startPooler({ url: infrastructure().databaseUrl, mode: 'transaction' });
    const database = await createDatabase();
    try {
      const finding = await examine({ DATABASE_URL: pooler.urlOf(database.url) });
      expect(finding?.['state']).to.equal('ok');
      expect(finding?.['detail']).to.match(/through a connection pooler/);
    } finally {
      await pooler.discard();
      await database.drop();
    }
  });

  it('a pooler that lends sessions for one statement only is refused with the reason', async () => {
    const pooler = await startPooler({ url: infrastructure().databaseUrl, mode: 'statement' });
    const database = await createDatabase();
    try {
      const finding = await examine({ DATABASE_URL: pooler.urlOf(database.url) });
      expect(finding?.['state']).to.equal('failed');
      expect(finding?.['detail']).to.contain('08P01').and.to.contain('one statement only');
    } finally {
      await pooler.discard();
      await database.drop();
    }
  });

  it('a parameter of the URL that a pooler refuses is told as such, not as a server that is down', async () => {
    const pooler = await startPooler({ url: infrastructure().databaseUrl, mode: 'transaction' });
    const database = await createDatabase();
    try {
      const url = `${pooler.urlOf(database.url)}?options=-cwork_mem%3D8MB`;
      const finding = await examine({ DATABASE_URL: url });
      expect(finding?.['state']).to.equal('failed');
      expect(finding?.['detail']).to.contain('08P01');
      expect(finding?.['advice'])
        .to.contain('ignore_startup_parameters')
        .and.not.to.contain('start Postgres');
      const named = await examine({
        DATABASE_URL: `${pooler.urlOf(database.url)}?options=-csearch_path%3Dpublic`,
      });
      expect(named?.['state']).to.equal('ok');
    } finally {
      await pooler.discard();
      await database.drop();
    }
  });
});
