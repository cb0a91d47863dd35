import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Session } from '../../libs/connector/contract.ts';
import { connect, type Database } from '../../libs/db/connect.ts';
import type { WorkOrder } from '../../libs/store/orders/order.ts';
import type { Engine } from '../../libs/sync/engine.ts';
import type { Write } from '../../libs/sync/order.ts';
import { writeEntry, type WrittenEntry } from '../../libs/sync/push/write-entry.ts';
import { ConnectorError } from '../../libs/connector/errors.ts';
import { destination as googleType } from '../../services/connectors/google-secret-manager/destination.ts';
import { destination as vercelType } from '../../services/connectors/vercel-env/destination.ts';
import * as google from '../connectors/google-secret-manager/support.ts';
import * as vercel from '../connectors/vercel-env/support.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { ledgerEntry } from './ledger-entry.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../sandbox/google-secret-manager/fake.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../sandbox/vercel-env/fake.ts';

type Ledger = Partial<Write['entry']>;

function taskOf(externalName: string, ledger: Ledger, conflictPolicy: 'refuse' | 'overwrite'): Write {
  const order = { destination: { id: 1, conflictPolicy, ownerCheckMs: 0 } };
  return {
    order: order as WorkOrder,
    subKey: '',
    value: 'mine',
    fingerprint: '',
    bytes: 4,
    name: externalName,
    nameKey: externalName,
    entry: ledgerEntry(externalName, ledger),
    valueChanged: true,
    tags: {},
    token: randomUUID(),
  };
}

let db: Database;

async function write(task: Write, type: unknown, session: Session): Promise<WrittenEntry | ConnectorError> {
  const stop = new AbortController().signal;
  const engine = { context: { db }, destination: type, stop } as unknown as Engine;
  const lease = { deadline: performance.now() + 30_000, trace: undefined, mayCall: () => true };
  const written = await writeEntry(task, { engine, session, lease });
  if (!('error' in written)) return written;
  if (written.error instanceof ConnectorError) return written.error;
  throw written.error;
}

describe('the write of one entry', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
    db = connect({ url: database.url, poolSize: 1, name: 'write-entry' });
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  describe('a store that contradicts itself', () => {
    let fake: Cloud3SmFake;
    let session: Session;

    before(async () => {
      fake = await startCloud3SmFake();
      session = await google.openSession(fake);
    });
    beforeEach(() => fake.reset());
    after(async () => {
      await session.close?.();
      await fake.close();
    });

    const unseen = (times: number): void =>
      fake.addFault({ kind: 'error', operation: 'AddSecretVersion', code: 'NOT_FOUND', times });

    it('a new entry that the store goes on denying is tried again until it is there', async () => {
      const task = taskOf(google.NAME, {}, 'refuse');
      unseen(3);
      for (const code of ['store_busy', 'entry_unsettled', 'entry_unsettled'])
        expect(await write(task, googleType, session)).to.include({ kind: 'external', code });
      expect(await write(task, googleType, session)).to.include({ action: 'update' });
      expect(fake.entries()[0]).to.deep.include({ value: 'mine', versions: 1, tags: google.MARK });
    });

    it('an owned entry that one answer denies and the next one has is written all the same', async () => {
      fake.plant({ name: google.NAME, value: 'old', tags: google.MARK });
      unseen(1);
      expect(await write(taskOf(google.NAME, { owned: true }, 'refuse'), googleType, session)).to.include({
        action: 'update',
      });
      expect(fake.entries()[0]).to.include({ value: 'mine' });
    });
  });

  describe('an owned entry whose name somebody else has by now', () => {
    let fake: HostingProjectFake;
    let session: Session;
    let reference: string | null;

    before(async () => {
      fake = await startHostingProjectFake();
    });
    beforeEach(async () => {
      const former = await vercel.openSession(fake, { deployment_environments: ['preview'] });
      ({ reference } = await former.put(vercel.entryOf('TOKEN', 'old'), vercel.calm()));
      await former.close?.();
      fake.drop(vercel.rowOf(fake, 'TOKEN').id);
      fake.plant({ name: 'TOKEN', value: 'theirs', target: ['production'] });
      session = await vercel.openSession(fake);
    });
    afterEach(async () => {
      await session.close?.();
      fake.reset();
    });
    after(() => fake.close());

    const owned = (policy: 'refuse' | 'overwrite'): Write =>
      taskOf('TOKEN', { owned: true, reference }, policy);

    it('an owned name that is now foreign stays theirs with conflict_policy refuse', async () => {
      expect(await write(owned('refuse'), vercelType, session)).to.include({
        kind: 'client',
        code: 'conflict',
      });
      expect(vercel.rowsOf(fake, 'TOKEN')).to.deep.equal(['production=theirs']);
    });

    it('an owned name that is now foreign is taken over with conflict_policy overwrite', async () => {
      expect(await write(owned('overwrite'), vercelType, session)).to.include({ action: 'overwrite' });
      expect(vercel.rowsOf(fake, 'TOKEN')).to.deep.equal(['production=mine']);
    });
  });
});
