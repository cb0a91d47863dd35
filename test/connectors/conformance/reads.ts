import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Fake } from '../../sandbox/contract.ts';
import { calm, callsTo, type VerbsOfStore, type VerbStage } from './verb-table.ts';

/** What reading tells, what a removal leaves, and what no verb touches. */
export function describeReads<TestFake extends Fake>(table: VerbsOfStore<TestFake>, stage: VerbStage): void {
  const { destination, calls, name } = table;
  const { entry } = stage;

  it('reading tells the value, the owner and the time of the last change', async () => {
    for (const [whose, owner] of [
      ['ours', table.other ? 'ours' : 'unmarked'],
      ...(table.other ? [['other', 'other'] as const] : []),
      ['theirs', 'unmarked'],
    ] as const) {
      stage.fake.reset();
      stage.plant(whose);
      const found = await stage.session.read(stage.key(), calm());
      expect(callsTo(stage.fake), whose).to.deep.equal(calls.read);
      expect(found).to.include({ owner, value: destination.readable ? whose : null });
      // One of the two tells a person since when the entry is there.
      expect((found?.createdAt ?? found?.changedAt)?.getTime()).to.be.closeTo(Date.now(), 60_000);
      if (table.hidesTime) expect(found?.changedAt).to.equal(null);
      else expect(found?.changedAt?.getTime()).to.be.closeTo(Date.now(), 60_000);
      if (table.keyOf) expect(found?.reference).to.equal(stage.key().reference);
    }
  });

  it('reading an entry that is not there gives null, by the calls of the table', async () => {
    expect(await stage.session.read({ name, reference: null }, calm())).to.equal(null);
    expect(callsTo(stage.fake)).to.deep.equal(calls.readAbsent);
  });

  if (table.other)
    it('an entry bears the mark of the installation that wrote it', async () => {
      const second = await stage.open({ installation: randomUUID() });
      await second.put(entry(), calm());
      expect((await second.read(stage.key(), calm()))?.owner).to.equal('ours');
      expect((await stage.session.read(stage.key(), calm()))?.owner).to.equal('other');
    });

  it('a removal is final, and one of an entry that is gone succeeds', async () => {
    stage.plant('ours');
    const key = stage.key();
    await stage.session.remove(key, calm());
    expect(callsTo(stage.fake)).to.deep.equal(calls.remove);
    expect(stage.fake.entries()).to.deep.equal([]);
    stage.fake.clearCalls();
    await stage.session.remove(key, calm());
    expect(callsTo(stage.fake)).to.deep.equal(calls.removeAbsent);
  });

  it('a name can be used again at once after its removal', async () => {
    stage.plant('ours');
    await stage.session.remove(stage.key(), calm());
    await stage.session.put(entry({ value: 'again', tags: { team: 'red' } }), calm());
    expect(stage.fake.entries()).to.have.length(1);
    expect(stage.stored()).to.deep.include({ value: 'again', ...table.created });
  });

  it('`check` leaves nothing behind, and makes the calls of the table', async () => {
    stage.plant('theirs', { name: 'OTHER' });
    const before = JSON.stringify(stage.fake.entries());
    await stage.session.check(calm(), 'sealift-check');
    // Several rights are tried at the same time.
    expect(callsTo(stage.fake).toSorted()).to.deep.equal(calls.check.toSorted());
    expect(JSON.stringify(stage.fake.entries())).to.equal(before);
  });

  it('no verb touches any entry but the named one', async () => {
    const others = ['OTHER', `${name}X`, name.slice(0, -1)];
    for (const other of others) stage.plant('ours', { name: other });
    const shown = (): string => JSON.stringify(stage.fake.entries().filter((each) => each.name !== name));
    const before = shown();
    await stage.session.put(entry(), calm());
    await stage.session.put(entry({ ...stage.key(), value: 'next', expect: 'present' }), calm());
    await stage.session.read(stage.key(), calm());
    await stage.session.retag?.({ ...stage.key(), tags: { team: 'blue' }, removed: ['team'] }, calm());
    await stage.session.check(calm(), 'sealift-check');
    await stage.session.remove(stage.key(), calm());
    expect(shown()).to.equal(before);
    expect(stage.fake.entries()).to.have.length(others.length);
  });
}
