import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { FIRST_FORMER_STEP } from '../../libs/db/former-schema.ts';
import { migrations } from '../../libs/db/migrations/index.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { startSealift } from '../support/sealift.ts';

const program = fileURLToPath(new URL('../../programs/cli/main.js', import.meta.url));

describe('the command line', () => {
  const masterKey = randomBytes(32).toString('base64');
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  const run = async (command: string, environment: Record<string, string> = {}) => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.url,
      AMQP_URL: infrastructure().amqpUrl,
      SEALIFT_MASTER_KEY: masterKey,
      ...environment,
    };
    const options = { env, timeout: 30_000 };
    const result: { stdout: string; stderr: string; code?: number } = await promisify(execFile)(
      process.execPath,
      [program, command, '--json'],
      options,
    ).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
    return { ...result, code: result.code ?? 0 };
  };

  it('`bootstrap` prints a root token that works, once, and never again', async () => {
    const answers = await Promise.all([run('bootstrap'), run('bootstrap')]);
    const outputs = answers.map(
      ({ stdout }) => JSON.parse(stdout) as { token?: string; bootstrapped?: boolean },
    );
    const tokens = outputs.flatMap(({ token }) => (token === undefined ? [] : [token]));
    expect(tokens).to.have.length(1);
    expect(outputs.filter((output) => output.bootstrapped)).to.have.length(1);
    expect(JSON.parse((await run('bootstrap')).stdout)).to.deep.equal({ bootstrapped: true });
    const sealift = await startSealift({
      environment: { DATABASE_URL: database.url, SEALIFT_MASTER_KEY: masterKey },
    });
    try {
      const own = await sealift.client.get('/v1/auth/token/lookup-self', { token: tokens[0] ?? '' });
      expect(own.body.data.policies).to.deep.equal(['root']);
    } finally {
      await sealift.stop();
    }
  });

  it('`migrate` brings an empty database up to date, and may be called again', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
    const early = await run('bootstrap');
    expect(early.code).to.equal(1);
    expect(early.stderr).to.contain('sealift migrate');
    expect(JSON.parse((await run('migrate')).stdout).applied).to.deep.equal(
      migrations.map(({ name }) => name),
    );
    expect(JSON.parse((await run('migrate')).stdout).applied).to.deep.equal([]);
  });

  it('every command refuses a database of a version before 0.2.0, and says what to do', async () => {
    const former = await createDatabase();
    const client = new pg.Client({ connectionString: former.url });
    await client.connect();
    await client.query('DELETE FROM schema_migrations');
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [FIRST_FORMER_STEP]);
    await client.end();
    for (const command of ['migrate', 'bootstrap', 'doctor']) {
      const refused = await run(command, { DATABASE_URL: former.url });
      // The diagnosis has a code for all that it finds.
      expect(refused.code, command).to.satisfy((code: number) =>
        command === 'doctor' ? code > 0 : code === 78,
      );
      expect(refused.stderr + refused.stdout, command)
        .to.contain('a version before 0.2.0')
        .and.contain('sealift kv export')
        .and.contain('docs/upgrade.md');
    }
    await former.drop();
  });

  it('the command line says what is wrong with the configuration, and shows no credential', async () => {
    const missing = await run('migrate', { DATABASE_URL: '' });
    expect(missing.code).to.equal(78);
    expect(missing.stderr).to.contain('DATABASE_URL');
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    const wrong = await run('migrate', { DATABASE_URL: url.href });
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.contain('3D000').and.not.to.contain('no_such_database');
    expect((await run('nonsense')).code).not.to.equal(0);
  });
});
