import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { runCommand } from '../cli/support.ts';
import { spawnProcess, type SpawnedProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const PASSWORD = 'hidden-pass-word';
const LIMIT = { everyMs: 200 };

// Everything goes through the real programs: the answers and the readiness of an API, and doctor.
describe('a Postgres that answers but refuses the service', () => {
  const role = `refused_${process.pid}`;
  let sealift: Sealift;
  let api: SpawnedProcess;
  let client: Client;
  let environment: Record<string, string>;

  const sql = (text: string) => sealift.context.db.raw(text);
  const urlOf = (change: (url: URL) => void): string => {
    const url = new URL(sealift.environment['DATABASE_URL'] ?? '');
    url.username = role;
    url.password = PASSWORD;
    change(url);
    return url.href;
  };
  const databaseName = (): string => new URL(sealift.environment['DATABASE_URL'] ?? '').pathname.slice(1);
  const cut = () => sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
  const doctor = async (url = environment['DATABASE_URL'] ?? '') => {
    const ended = await runCommand(['doctor', '--no-egress', '--json'], {
      ...environment,
      DATABASE_URL: url,
    });
    expect(ended.stdout + ended.stderr).not.to.contain(PASSWORD);
    return (JSON.parse(ended.stdout) as { findings: Finding[] }).findings.filter(
      ({ state }) => state === 'failed',
    );
  };

  before(async () => {
    sealift = await startSealift();
    await sql(
      `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
       GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    );
    const port = await choosePort(undefined);
    environment = { ...sealift.environment, DATABASE_URL: urlOf(() => undefined), LOG_LEVEL: 'warn' };
    api = await spawnProcess('programs/api/main.js', { ...environment, PORT: String(port) });
    client = createClient(`http://127.0.0.1:${port}`, sealift.token);
    await api.ready();
  });
  after(async () => {
    await api?.kill();
    await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await sealift?.stop();
  });

  // The API, its readiness and doctor tell one refusal, and all heals by itself.
  const expectTold = async (
    { refuse, allow }: { refuse: string; allow: string },
    { said, advice }: { said: string; advice: string },
  ): Promise<void> => {
    await sql(refuse);
    try {
      await eventually(async () => {
        await cut();
        const answer = await client.get('/v1/secret/data/x');
        expect([answer.status, 'retry-after' in answer.headers]).to.deep.equal([503, true]);
        // Nobody who only reads wants to know that.
        expect(answer.text).to.not.contain('nothing was done');
        return expect(answer.text).to.contain(said);
      }, LIMIT);
      await eventually(async () => {
        const answer = await fetch(`${api.healthUrl}/health/ready`);
        expect(answer.status).to.equal(503);
        return expect(await answer.text()).to.contain(said);
      }, LIMIT);
      const [found] = await doctor();
      expect(found?.detail).to.not.contain('no connection');
      expect(found?.advice).to.contain(advice);
    } finally {
      await sql(allow);
    }
    await api.ready();
    await eventually(async () => (await client.get('/v1/secret/data/x')).status === 404, LIMIT);
  };

  it('a password that Postgres refuses is told as that', async () => {
    await expectTold(
      {
        refuse: `ALTER ROLE ${role} PASSWORD 'another'`,
        allow: `ALTER ROLE ${role} PASSWORD '${PASSWORD}'`,
      },
      { said: 'the database refuses the user name or the password (28P01)', advice: 'ALTER ROLE … PASSWORD' },
    );
  });

  it('a role that may not log in is told as that', async () => {
    await expectTold(
      { refuse: `ALTER ROLE ${role} NOLOGIN`, allow: `ALTER ROLE ${role} LOGIN` },
      { said: 'the database refuses the log-in (28000)', advice: 'ALTER ROLE … LOGIN' },
    );
  });

  it('a role that may not connect to the database is told as that', async () => {
    const name = databaseName();
    await expectTold(
      {
        refuse: `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`,
        allow: `GRANT CONNECT ON DATABASE ${name} TO PUBLIC`,
      },
      { said: '(42501)', advice: 'GRANT CONNECT' },
    );
  });

  it('tables that are gone are told as that', async () => {
    await expectTold(
      {
        refuse: `ALTER SCHEMA public RENAME TO away; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO ${role}`,
        allow: 'DROP SCHEMA public; ALTER SCHEMA away RENAME TO public',
      },
      { said: 'the database lacks a table of the service (42P01)', advice: 'sealift migrate' },
    );
  });

  it('a Postgres without a free connection is told as that', async () => {
    await expectTold(
      { refuse: `ALTER ROLE ${role} CONNECTION LIMIT 0`, allow: `ALTER ROLE ${role} CONNECTION LIMIT -1` },
      { said: 'the database has too many connections already (53300)', advice: 'max_connections' },
    );
  });

  it('requests share the connections that there are, where Postgres lends no more', async () => {
    await sql(`ALTER ROLE ${role} CONNECTION LIMIT 3`);
    try {
      await cut();
      await eventually(async () => (await client.get('/v1/secret/data/x')).status === 404, LIMIT);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, number) =>
          client.post(`/v1/secret/data/shared-${number}`, { data: { key: 'value' } }),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    } finally {
      await sql(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    }
    await api.ready();
  });

  it('`doctor` tells a missing database, a server without TLS and no Postgres apart', async () => {
    const noPostgres = createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    );
    await once(noPostgres.listen(0, '127.0.0.1'), 'listening');
    const { port } = noPostgres.address() as AddressInfo;
    const cases: [string, string, string][] = [
      [urlOf((url) => (url.pathname = '/no_such_database')), '3D000', 'create the database'],
      [urlOf((url) => (url.search = '?sslmode=verify-full')), 'offers no TLS', 'sslmode'],
      [urlOf((url) => (url.host = `127.0.0.1:${port}`)), 'ECONNRESET', 'not another service'],
      [
        urlOf((url) => Object.assign(url, { host: `127.0.0.1:${port}`, search: '?sslmode=verify-full' })),
        'is not Postgres',
        'correct the host',
      ],
      [urlOf((url) => (url.host = '127.0.0.1:1')), 'ECONNREFUSED', 'start Postgres'],
    ];
    try {
      for (const [url, said, advice] of cases) {
        const [found] = await doctor(url);
        expect(found?.detail).to.contain(said).and.not.contain('(Error)');
        expect(found?.advice).to.contain(advice);
      }
    } finally {
      noPostgres.close();
    }
  });
});
