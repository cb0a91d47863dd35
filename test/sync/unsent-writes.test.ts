import { expect } from 'chai';
import type { Session } from '../../libs/connector/contract.ts';
import { connect, type Database } from '../../libs/db/connect.ts';
import type { LedgerEntry, WorkOrder } from '../../libs/store/orders/order.ts';
import type { EntryResult } from '../../libs/store/orders/result.ts';
import type { Engine } from '../../libs/sync/engine.ts';
import type { PushProgress, StepOutcome, Write } from '../../libs/sync/order.ts';
import { writeOne } from '../../libs/sync/push/write.ts';
import { destination } from '../../services/connectors/github-secrets/destination.ts';
import { openSession } from '../connectors/github-secrets/support.ts';
import { startRepoHostFake, type RepoHostFake } from '../sandbox/github-secrets/fake.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { ledgerEntry } from './ledger-entry.ts';

const LEASE = 30_000;
const UNKNOWN = ledgerEntry('TOKEN');

// The store has no owner marks, so the ledger alone says whose an entry is.
describe('a write of which nothing was sent', () => {
  let database: TestDatabase;
  let db: Database;
  let fake: RepoHostFake;
  let open: Session;
  let closed: Session;

  before(async () => {
    database = await createDatabase();
    db = connect({ url: database.url, poolSize: 1, name: 'unsent-writes' });
    fake = await startRepoHostFake();
    const gone = await startRepoHostFake();
    open = await openSession(fake, { callTimeoutMs: 500 });
    closed = await openSession(gone);
    await gone.close();
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await open.close?.();
    await closed.close?.();
    await fake.close();
    await db.destroy();
    await database.drop();
  });

  async function write(session: Session, entry: LedgerEntry): Promise<StepOutcome & { entry: EntryResult }> {
    const order = { destination: { id: 1, conflictPolicy: 'refuse', ownerCheckMs: LEASE }, source: null };
    const task: Write = {
      order: order as unknown as WorkOrder,
      subKey: '',
      value: 'mine',
      fingerprint: 'of mine',
      bytes: 4,
      name: entry.externalName,
      nameKey: 'token',
      entry,
      valueChanged: true,
      tags: {},
      token: '00000000-0000-4000-8000-000000000000',
    };
    const { signal } = new AbortController();
    const context = { db, config: { LEASE } };
    const engine = { context, destination, stop: signal, drain: signal } as unknown as Engine;
    const lease = { deadline: performance.now() + LEASE, trace: undefined, mayCall: () => true };
    const progress = { outcomes: [] } as unknown as PushProgress;
    const outcome = await writeOne(task, progress, { engine, session, lease });
    if (!outcome.entry) throw new Error('the write came to nothing');
    return { ...outcome, entry: outcome.entry };
  }

  it('a name that no call reached does not become ours, and nothing about it is uncertain', async () => {
    const { entry } = await write(closed, UNKNOWN);
    expect(entry.cause?.code).to.equal('unreachable');
    expect(entry).to.include({ owned: false, uncertainty: 'stays' });
  });

  it('an entry that is ours stays ours when no call reaches it', async () => {
    const { entry } = await write(closed, { ...UNKNOWN, owned: true, status: 'SYNCED' });
    expect(entry).to.include({ owned: true, uncertainty: 'stays' });
  });

  it('a name that the ledger holds for a create stays held if the create cannot be sent', async () => {
    // Another worker, whose lease ended, may have sent its own create after the ledger held the name.
    const cut: Session = { ...open, put: (entry, signal) => closed.put(entry, signal) };
    const { entry } = await write(cut, UNKNOWN);
    expect(entry.cause?.code).to.equal('unreachable');
    expect(entry).to.include({ owned: true, uncertainty: 'stays' });
  });

  it('a call of unknown outcome stays uncertain after a later one of which nothing was sent', async () => {
    fake.addFault({ kind: 'hang', operation: 'putSecret' });
    const first = await write(open, UNKNOWN);
    expect(first.entry.cause?.code).to.equal('timed_out');
    expect(first.entry).to.include({ owned: true, uncertainty: 'begins' });
    const known: LedgerEntry = { ...UNKNOWN, owned: true, status: first.entry.status, uncertainMsAgo: 1000 };
    const second = await write(closed, known);
    expect(second.entry).to.include({ owned: true, uncertainty: 'stays' });
    fake.clearFaults();
    const third = await write(open, known);
    expect(third.entry).to.include({ owned: true, status: 'SYNCING', uncertainty: 'stays' });
    expect(third.confirmInMs).to.be.within(1, 2 * LEASE);
  });
});
