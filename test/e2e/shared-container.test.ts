import { expect } from 'chai';
import { hasOtherHolder, releaseShared, type NamedEntry } from '../../libs/store/orders/shared-names.ts';
import { destination } from '../../services/connectors/aws-secrets-manager/destination.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

const SECOND = { access_key_id: 'AKIASECOND', secret_access_key: 'second' };
const ELSEWHERE = { access_key_id: 'AKIAELSEWHERE', secret_access_key: 'elsewhere' };

describe('destinations whose settings do not tell that they share a container', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { connector: cloud1Worker(fake) } });
    fake.assign(ELSEWHERE.access_key_id, '222222222222');
  });
  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const sync = async (name: string, settings: Record<string, unknown>): Promise<void> => {
    const driver = createSyncDriver(sealift, 'cloud1-sm', name);
    await driver.configure({ ...cloud1Settings(), ...settings });
    await driver.write('app', { v: 'one' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
  };
  const entryOf = async (name: string): Promise<NamedEntry> => {
    const row = await sealift.context
      .db('entries as e')
      .join('destinations as d', 'd.id', 'e.destination_id')
      .where('d.name', name)
      .first('e.id', 'd.id as destination', 'e.name_key', 'e.reference');
    return {
      entryId: row.id,
      destinationId: row.destination,
      type: 'cloud1-sm',
      nameKey: row.name_key,
      reference: row.reference,
    };
  };
  const identityOf = destination.identityOf ?? (() => null);

  it('the ledger tells the entry of one account from those of the same name elsewhere', async () => {
    await sync('first', {});
    await sync('elsewhere', ELSEWHERE);
    await sync('other-region', { region: 'us-east-1' });
    const first = await entryOf('first');
    expect(await hasOtherHolder(sealift.context.db, first, identityOf)).to.equal(false);
    const again = { ...first, destinationId: 0 };
    expect(await hasOtherHolder(sealift.context.db, again, identityOf)).to.equal(true);
    expect(await hasOtherHolder(sealift.context.db, { ...again, reference: null }, identityOf)).to.equal(
      false,
    );
  });

  it('a destination that is second at a name is told of the conflict', async () => {
    await sync('first', {});
    const second = createSyncDriver(sealift, 'cloud1-sm', 'second');
    await second.configure({
      ...cloud1Settings(),
      ...SECOND,
      conflict_policy: 'overwrite',
    });
    await second.associate('app');
    const [record] = await second.settles('app', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('blocked');
    await second.dissociate('app');
    await eventually(async () => (await second.records('app')).length === 0);
    expect(fake.entries().map(({ name }) => name)).to.deep.equal(['app']);
  });

  it('a plan with a look calls an entry ours only where no other destination manages it', async () => {
    await sync('first', {});
    const plan = async (settings: object, name = 'second'): Promise<{ action: string; reason: string }> => {
      const answer = await sealift.client.post(`/v1/sys/sync/destinations/cloud1-sm/${name}/plan`, {
        destination: { ...cloud1Settings(), ...SECOND, ...settings },
        secrets: [{ mount: 'secret', secret_name: 'app' }],
        look: true,
      });
      expect(answer.status, answer.text).to.equal(200);
      return answer.body.data.secrets[0].planned[0];
    };
    for (const policy of ['refuse', 'overwrite', 'adopt']) {
      const { action, reason } = await plan({ conflict_policy: policy });
      expect(action, policy).to.equal('conflict');
      expect(reason).to.match(/another destination writes to the same account/);
    }
    expect((await plan(ELSEWHERE)).action).to.equal('create');

    const { db } = sealift.context;
    const [{ reference }] = await db('entries').select('reference');
    await db('entries').update({ reference: null });
    const unsure = await plan({});
    expect(unsure.action).to.equal('unknown');
    expect(unsure.reason).to.match(/bears our mark, but Sealift cannot tell whether another destination/);

    await db('entries').update({ reference });
    const first = createSyncDriver(sealift, 'cloud1-sm', 'first');
    await first.patch({ deletion_policy: 'retain' });
    await first.dissociate('app');
    await eventually(async () => (await first.records('app')).length === 0);
    expect((await plan({})).action).to.equal('update');
  });

  it('an entry of two destinations is deleted by the last of them', async () => {
    const { db } = sealift.context;
    const drivers = ['first', 'second'].map((name) => createSyncDriver(sealift, 'cloud1-sm', name));
    await sync('first', {});
    const { reference } = await entryOf('first');
    await createSyncDriver(sealift, 'cloud1-sm', 'second').configure({
      ...cloud1Settings(),
      ...SECOND,
    });
    await drivers[1]?.associate('app');
    await drivers[1]?.settles('app', 'CLIENT_SIDE_ERROR');
    // Restores a state of earlier versions, in which two destinations could hold one entry.
    await db('entries').update({ owned: true, reference, status: 'SYNCED', cause: null });
    await sealift.client.delete('/v1/secret/data/app');
    await eventually(() => fake.entries().length === 0);
    for (const driver of drivers) await driver.settles('app', 'UNSYNCED');
  });

  it('exactly one of two destinations that give up one entry at once may delete it', async () => {
    const { db } = sealift.context;
    await sync('first', {});
    await sync('second', ELSEWHERE);
    const shared = await entryOf('first');
    await db('entries').update({ owned: true, reference: shared.reference });
    const both = [await entryOf('first'), await entryOf('second')];
    const released = await Promise.all(both.map((entry) => releaseShared(db, entry, identityOf)));
    expect(released).to.have.members([true, false]);
    expect(await db('entries').where({ owned: true }).pluck('id')).to.have.length(1);
  });
});
