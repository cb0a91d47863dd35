import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { chooseBranch, Cluster } from '../../libs/db/failover/cluster.ts';
import { clientMaker } from '../../libs/db/failover/failover-dialect.ts';
import { NoPrimaryError } from '../../libs/db/failover/no-primary-error.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { isUnreachable } from '../../libs/db/unreachable.ts';
import { createLog } from '../../libs/log/log.ts';
import { spawnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { hostsOf, startPostgresPair, type PostgresPair } from '../support/postgres-pair.ts';

const log = createLog({ service: 'test', level: 'silent' });

describe('a primary with a standby', () => {
  let pair: PostgresPair;
  let cluster: Cluster;
  let db: Database;
  let changes: number;

  beforeEach(async () => {
    pair = await startPostgresPair();
    // The standby comes first, because the order must not matter.
    cluster = new Cluster(hostsOf(pair.standby, pair.primary));
    changes = 0;
    cluster.onNewBranch(() => (changes += 1));
    db = connect({ cluster, poolSize: 3, name: 'test-failover' });
    cluster.watch(clientMaker({}, { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 }), log);
    await migrate(db);
    await db.raw('CREATE TABLE held (n int)');
    const { primary, standby } = pair;
    await eventually(async () => {
      const [position] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
      const [seen] = await standby.query<{ has: boolean }>(
        `SELECT pg_last_wal_replay_lsn() >= '${position?.lsn}' AS has`,
      );
      return seen?.has;
    });
  });

  afterEach(async () => {
    await cluster.stop();
    await db.destroy();
    await pair.discard();
  });

  const write = (n: number) => db.raw('INSERT INTO held VALUES (?)', [n]);
  const holds = async ({ query }: PostgresPair['primary'], n: number): Promise<boolean> =>
    (await query(`SELECT FROM held WHERE n = ${n}`)).length > 0;
  const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('a killed primary is left for its promoted standby', async () => {
    await write(1);
    expect(await holds(pair.primary, 1)).to.equal(true);
    await pair.primary.kill();
    expect(isUnreachable(await failureOf(write(2)))).to.equal(true);
    await pair.standby.promote();
    await eventually(() => write(3).then(() => true));
    expect(await holds(pair.standby, 3)).to.equal(true);
    expect(changes).to.equal(1);
  });

  it('a primary that stands still is left for its promoted standby', async () => {
    const slow = failureOf(db.raw('SELECT pg_sleep(30)'));
    await eventually(async () => (await pair.primary.query(SLEEPING)).length > 0);
    await pair.primary.freeze();
    await pair.standby.promote();
    expect(isUnreachable(await slow)).to.equal(true);
    await write(4);
    expect(await holds(pair.standby, 4)).to.equal(true);
    await pair.primary.thaw();
    for (let n = 5; n < 10; n += 1) await write(n);
    expect(await pair.primary.query('SELECT FROM held WHERE n > 3')).to.have.length(0);
  });

  it('a replaced primary that lives on gets nothing more, even where the new one is lost as well', async () => {
    await write(1);
    await pair.standby.promote();
    await eventually(() => changes === 1);
    await write(2);
    expect(await holds(pair.standby, 2)).to.equal(true);
    await pair.standby.kill();
    const error = await failureOf(eventually(() => write(3).then(() => true), { limitMs: 1500 }));
    expect(error).to.satisfy(isUnreachable);
    const only = connect({ cluster, poolSize: 1, name: 'test-only' });
    expect(String(await failureOf(only.raw('SELECT 1')))).to.match(/ECONNREFUSED|left/);
    await only.destroy();
    expect(await holds(pair.primary, 3)).to.equal(false);
  });

  it('a command of an operator finds the primary among the hosts', async () => {
    const migration = await spawnProcess('programs/cli/main.js migrate', {
      DATABASE_URL: hostsOf(pair.standby, pair.primary),
      AMQP_URL: 'amqp://127.0.0.1:1',
      SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    expect(await migration.ended, migration.output()).to.equal(0);
    expect(migration.output()).to.contain('up to date');
  });

  it('a standby alone is no database to work with', async () => {
    const alone = connect({ url: pair.standby.url, poolSize: 1, name: 'test-alone' });
    expect(await failureOf(alone.raw('SELECT 1'))).to.be.instanceOf(NoPrimaryError);
    await alone.destroy();
  });
});

const SLEEPING = "SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND state = 'active'";

describe('how often the hosts of a database are asked', () => {
  afterEach(() => mock.timers.reset());

  for (const [hosts, seconds] of [
    ['a', 15],
    ['a,b', 5],
  ] as const) {
    it(`${hosts.split(',').length === 1 ? 'a single host is' : 'several hosts are'} asked every ${seconds} s`, async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      const urls = new Set<string>();
      const cluster = new Cluster(`postgres://u@${hosts}/db`);
      cluster.watch((url) => {
        urls.add(url);
        throw new Error('not here');
      }, log);
      mock.timers.tick(seconds * 1000 - 1);
      expect(urls.size).to.equal(0);
      mock.timers.tick(1);
      expect(urls.size).to.equal(hosts.split(',').length);
      await cluster.stop();
    });
  }
});

describe('the choice among branches of a database', () => {
  const branch = (timeline: number, id: string | null = `id ${timeline}`, system = '1') => ({
    system,
    timeline,
    id,
  });
  const choose = (known: ReturnType<typeof branch>, ...found: ReturnType<typeof branch>[]) =>
    chooseBranch(
      found.map((one, index) => ({ index, branch: one })),
      known,
    )?.branch;

  it('the highest timeline is followed, and a lower one never', () => {
    expect(choose(branch(2), branch(1), branch(2), branch(4), branch(3))).to.deep.equal(branch(4));
    expect(choose(branch(2), branch(1))).to.equal(undefined);
  });

  it('another branch of the same timeline is followed only where the known one does not answer', () => {
    expect(choose(branch(2, 'a'), branch(2, 'b'), branch(2, 'a'))).to.equal(undefined);
    expect(choose(branch(2, 'a'), branch(2, 'b'))).to.deep.equal(branch(2, 'b'));
  });

  it('another database is followed only where the known one does not answer', () => {
    expect(choose(branch(2), branch(7, 'b', '2'), branch(2))).to.equal(undefined);
    expect(choose(branch(2), branch(1, 'b', '2'))).to.deep.equal(branch(1, 'b', '2'));
  });
});
