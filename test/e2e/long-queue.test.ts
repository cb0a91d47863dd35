import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

const WAITING = 5000;
// Postgres plans the first runs of a statement on a connection one by one, and some of them may read the whole table.
const MOST_READS = 20 * WAITING;

describe('a long queue', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
  });

  afterEach(() => scene.close());

  it('a long queue is not read from end to end for each claim of some of it', async () => {
    const { sealift, fake } = scene;
    const { db } = sealift.context;
    // Their secrets do not exist: the worker claims the rows like any other, but has nothing to push.
    await db.raw(
      `INSERT INTO associations (namespace_id, destination_id, mount_id, secret_path)
       SELECT 'root', d.id, m.id, 'app' || number FROM destinations d, mounts m, generate_series(1, ?) AS number
       WHERE m.path = 'secret'`,
      [WAITING],
    );
    await db.raw('ANALYZE associations');
    const readBefore = (await readUsage()).read;

    const worker = await sealift.start('worker', cloud1Worker(fake));
    await eventually(async () => !(await isWaiting()), { limitMs: 200_000 });
    await worker.stop();

    // A connection reports its statistics when it ends: each row was claimed, and each result was stored.
    await eventually(async () => (await readUsage()).updated >= 2 * WAITING);
    const { read } = await readUsage();
    expect(read - readBefore, 'rows read without an index').to.be.below(MOST_READS);

    async function isWaiting(): Promise<boolean> {
      return db.transaction(async (transaction) => {
        await transaction.raw('SET LOCAL enable_seqscan = off');
        const [row] = await transaction('associations').whereNotNull('due_at').limit(1).select('id');
        return row !== undefined;
      });
    }

    async function readUsage(): Promise<{ read: number; updated: number }> {
      const { rows } = await db.raw<{ rows: [{ read: number; updated: number }] }>(
        `SELECT seq_tup_read AS read, n_tup_upd AS updated FROM pg_stat_user_tables WHERE relname = 'associations'`,
      );
      return rows[0];
    }
  });
});
