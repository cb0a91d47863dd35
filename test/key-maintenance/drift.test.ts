import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { unavailable } from '../../libs/errors/request-error.ts';
import { serveCommands, type CommandServer } from '../../libs/queue/commands.ts';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { insertAssociations } from '../support/associations.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow, runNow, startMaintenance } from './support.ts';

describe('the drift check', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  let connector: CommandServer;
  // The store's content, as a connector of the type would report it.
  const states = new Map<string, string>();
  const destinationIds: number[] = [];
  // Destinations that never answer, and how many questions about each are in progress.
  const silent = new Set<number>();
  const atOnce = new Map<number, number>();
  before(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
    await sealift.start('connector', async (context) => {
      const { broker, db } = context;
      connector = serveCommands(broker, {
        ...context,
        worker: 'connector.repo-host',
        handlers: {
          verify: async (body) => {
            const { association } = body as { association: number };
            destinationIds.push(association);
            const rows = await db('entries').where({ association_id: association });
            const { destination_id: id } = rows[0];
            atOnce.set(id, (atOnce.get(id) ?? 0) + 1);
            await setImmediate();
            if (atOnce.get(id) !== 1) throw unavailable('one is enough');
            atOnce.delete(id);
            if (silent.has(id)) throw unavailable('no answer in time');
            return {
              entries: rows.map((row) => ({
                sub_key: row.sub_key,
                external_name: row.external_name,
                state: states.get(row.external_name) ?? 'in_sync',
                cause: null,
              })),
            };
          },
        },
      });
      broker.start();
      await eventually(() => broker.ready);
      return { stop: () => connector.stop() };
    });
  });
  after(() => sealift.stop());

  const associate = async (type: string, name: string, driftCheck: boolean): Promise<number> => {
    const [destination] = await services
      .db('destinations')
      .insert({
        namespace_id: 'root',
        type,
        name,
        settings: {},
        container: name,
        granularity: 'secret-key',
        secret_name_template: 'x',
        drift_check: driftCheck,
      })
      .returning('id');
    return addTo(destination.id, name);
  };
  const addTo = async (destinationId: number, name: string): Promise<number> => {
    const { db } = services;
    const mount = await db('mounts').first('id');
    const key = { destination_id: destinationId, mount_id: mount.id, secret_path: name };
    const settled = { generation: 3, synced_generation: 3, due_at: null };
    const [id = 0] = await insertAssociations(db, [{ ...key, ...settled }]);
    await db('entries').insert({
      association_id: id,
      destination_id: destinationId,
      sub_key: '',
      external_name: name,
      container: name,
      name_key: name,
      owned: true,
      value_fingerprint: Buffer.from('print'),
      status: 'SYNCED',
    });
    return id;
  };
  const read = async (id: number) => {
    const [row] = await services
      .db('associations as a')
      .join('entries as e', 'e.association_id', 'a.id')
      .where('a.id', id)
      .select('a.generation', 'a.due_at', 'e.value_fingerprint');
    return row;
  };

  it('the drift check looks once a day, and makes due what was changed outside', async () => {
    const same = await associate('repo-host', 'same', true);
    const changed = await associate('repo-host', 'changed', true);
    const removed = await associate('repo-host', 'removed', true);
    const unasked = await associate('repo-host', 'unasked', false);
    states.set('changed', 'drifted').set('removed', 'missing').set('unasked', 'drifted');
    const summary = await runNow(services, 'check-drift');
    expect(summary).to.deep.equal({
      checked: 3,
      drifted: 2,
      unreachable: 0,
      postponed: 0,
      destinationsLeft: 0,
    });
    expect(destinationIds).to.have.members([same, changed, removed]);
    for (const id of [changed, removed]) {
      const row = await read(id);
      expect(row.generation).to.equal(4);
      expect(row.due_at).to.be.instanceOf(Date);
      expect(row.value_fingerprint).to.equal(null);
    }
    for (const id of [same, unasked]) {
      expect(await read(id)).to.deep.include({ generation: 3, due_at: null });
    }
    expect(await runNow(services, 'check-drift', { now: daysFromNow(0.9) })).to.include({ checked: 0 });
    // Entries that are being written again have nothing to compare with.
    expect(await runNow(services, 'check-drift', { now: daysFromNow(1.1) })).to.include({ checked: 1 });
    // The clock was put back since: the recorded time is in the future, so the association is checked again.
    expect(await runNow(services, 'check-drift', { now: daysFromNow(0.05) })).to.include({ checked: 1 });
    expect(await runNow(services, 'check-drift', { now: daysFromNow(0.06) })).to.include({ checked: 0 });
  });

  it('the drift check asks each destination one thing at a time', async () => {
    const { db } = services;
    const start = async (name: string): Promise<number> => {
      const first = await associate('repo-host', name, true);
      const row = await db('associations').where({ id: first }).first('destination_id');
      for (const more of ['b', 'c', 'd']) await addTo(row.destination_id, `${name}-${more}`);
      return row.destination_id;
    };
    for (let number = 0; number < 5; number += 1) silent.add(await start(`silent-${number}`));
    await start('answering');
    const run = async (days: number): Promise<object> => {
      destinationIds.splice(0);
      return runNow(services, 'check-drift', { now: daysFromNow(days) });
    };
    expect(await run(0.1)).to.deep.equal({
      checked: 4,
      drifted: 0,
      unreachable: 20,
      postponed: 0,
      destinationsLeft: 0,
    });
    const first = [...destinationIds];
    expect(await run(0.2)).to.deep.equal({
      checked: 0,
      drifted: 0,
      unreachable: 15,
      postponed: 0,
      destinationsLeft: 0,
    });
    expect(destinationIds).to.have.length(5);
    for (const id of destinationIds) expect(first).to.not.include(id);
    await db('destinations').update({ drift_check: false });
  });

  it('the drift check leaves one entry in the audit trail for all that it puts right', async () => {
    const { db } = services;
    const names = ['north', 'east', 'south', 'west'];
    for (const name of names) {
      await associate('repo-host', name, true);
      states.set(name, 'missing');
    }
    const now = daysFromNow(1.15);
    expect(await runNow(services, 'check-drift', { now })).to.include({ drifted: names.length });
    const entries = await db('audit_events').where({ action: 'job check-drift', at: now });
    expect(entries.map(({ outcome }) => outcome)).to.deep.equal(['succeeded']);
    await db('destinations').update({ drift_check: false });
  });

  it('the drift check leaves for later what no connector answers for', async () => {
    const id = await associate('cloud1-sm', 'nobody', true);
    const summary = await runNow(services, 'check-drift', { now: daysFromNow(1.2) });
    expect(summary).to.include({ unreachable: 1, checked: 0 });
    expect(await read(id)).to.include({ generation: 3 });
    const keys = await services
      .db('association_keys')
      .where({ association_id: id })
      .first('drift_checked_at');
    expect(keys).to.deep.equal({ drift_checked_at: null });
  });
});
