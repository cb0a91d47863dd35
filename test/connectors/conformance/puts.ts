import { expect } from 'chai';
import type { Fake } from '../../sandbox/contract.ts';
import { failureOf } from './failure-of.ts';
import { calm, callsTo, type VerbsOfStore, type VerbStage } from './verb-table.ts';

const TEXTS = ['', 'π ☃ 😀 \u0000\r\n\t', '{"a":1}', '{not json'];

/** What a put writes, what it never overwrites, and what becomes of one whose answer was lost. */
export function describePuts<TestFake extends Fake>(table: VerbsOfStore<TestFake>, stage: VerbStage): void {
  const { destination, calls, name } = table;
  const { entry } = stage;
  const { createIsExclusive, limits } = destination;

  it('a creation brings value, tags and owner mark with it, by the calls of the table', async () => {
    const { reference } = await stage.session.put(entry({ value: 'grüße', tags: { team: 'red' } }), calm());
    expect(callsTo(stage.fake)).to.deep.equal(calls.create);
    expect(stage.fake.entries()).to.have.length(1);
    expect(stage.stored()).to.deep.include({ name, value: 'grüße', ...table.created });
    if (table.keyOf) expect(reference).to.equal(stage.key().reference);
    else expect(reference ?? '').to.match(table.reference ?? /^$/);
  });

  it('an update writes the value to the same entry, by the calls of the table', async () => {
    stage.plant('ours');
    const key = stage.key();
    const put = entry({ ...key, value: 'next', tags: { team: 'red' }, expect: 'present' });
    const { reference } = await stage.session.put(put, calm());
    expect(callsTo(stage.fake)).to.deep.equal(calls.update);
    expect(stage.fake.entries()).to.have.length(1);
    expect(stage.stored()).to.deep.include({ name, value: 'next', ...table.updated });
    expect(stage.key()).to.deep.equal(key);
    if (table.keyOf) expect(reference).to.equal(key.reference);
  });

  if (createIsExclusive) {
    it('a taken name is never overwritten by an entry expected absent', async () => {
      stage.plant('theirs', { versions: 1 });
      const before = JSON.stringify(stage.fake.entries());
      expect(await failureOf(stage.session.put(entry(), calm()))).to.include({
        kind: 'exists',
        scope: 'entry',
      });
      expect(JSON.stringify(stage.fake.entries())).to.equal(before);
    });

    it('an entry expected present that is gone is reported missing', async () => {
      stage.plant('ours');
      const put = entry({ ...stage.key(), expect: 'present' });
      stage.fake.reset();
      expect((await failureOf(stage.session.put(put, calm()))).kind).to.equal('missing');
      expect(stage.fake.entries()).to.deep.equal([]);
    });
  }

  if (table.keyOf)
    it('a namesake of an entry that is gone is neither written nor removed', async () => {
      stage.plant('ours');
      const key = stage.key();
      stage.fake.reset();
      stage.plant('theirs');
      const put = entry({ ...key, expect: 'present' });
      expect((await failureOf(stage.session.put(put, calm()))).kind).to.equal('missing');
      await stage.session.remove(key, calm());
      expect(stage.fake.entries().map(({ value }) => value)).to.deep.equal(['theirs']);
    });

  it('any text arrives as it is: several scripts, line ends, JSON and almost JSON', async () => {
    stage.plant('ours');
    for (const value of TEXTS.filter((text) => text !== '' || !table.refusesEmpty)) {
      await stage.session.put(entry({ ...stage.key(), value, expect: 'present' }), calm());
      expect(stage.stored()?.value).to.equal(value);
      const found = await stage.session.read(stage.key(), calm());
      expect(found?.value).to.equal(destination.readable ? value : null);
    }
  });

  if (table.refusesEmpty)
    it('an empty value is refused without a call', async () => {
      const failure = await failureOf(stage.session.put(entry({ value: '' }), calm()));
      expect(failure).to.include({ kind: 'client', code: 'value_empty' });
      expect(stage.fake.calls()).to.deep.equal([]);
    });

  it(`a value of ${limits.valueBytes} bytes is stored, one byte more is refused by the store`, async () => {
    const longest = 'é'.repeat(limits.valueBytes / 2);
    await stage.session.put(entry({ value: longest }), calm());
    const put = entry({ ...stage.key(), value: `x${longest}`, expect: 'present' });
    const failure = await failureOf(stage.session.put(put, calm()));
    const code = table.tooLarge ?? 'request_refused';
    expect(failure).to.include({ kind: 'client', code, scope: 'entry' });
    expect(stage.stored()?.value).to.equal(longest);
  });

  for (const expected of ['absent', 'present'] as const)
    it(`a put (${expected}) whose answer was lost can be repeated without harm`, async () => {
      if (expected === 'present') stage.plant('ours');
      const { versions = 0 } = stage.stored() ?? {};
      const put = entry({
        ...(expected === 'present' ? stage.key() : {}),
        value: 'written',
        tags: { team: 'red' },
        expect: expected,
      });
      stage.fake.addFault({ kind: 'cut-after', operation: table.writes[expected], times: 1 });
      expect((await failureOf(stage.session.put(put, calm()))).kind).to.equal('external');
      const repeated = stage.session.put(put, calm());
      if (expected === 'absent' && table.refusesRepeat)
        expect((await failureOf(repeated)).kind).to.equal('exists');
      else await repeated;
      expect(stage.fake.entries()).to.have.length(1);
      expect(stage.stored()).to.deep.include({
        value: 'written',
        ...(expected === 'absent' ? table.created : {}),
      });
      if (table.knowsRepeats) expect(stage.stored()?.versions).to.equal(versions + 1);
    });

  it('sixty creations at once each keep their own value', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${name}${index}`);
    await Promise.all(
      names.map((each) => stage.session.put(entry({ name: each, value: `of ${each}` }), calm())),
    );
    const values = Object.fromEntries(stage.fake.entries().map(({ name: found, value }) => [found, value]));
    expect(values).to.deep.equal(Object.fromEntries(names.map((each) => [each, `of ${each}`])));
  });
}
