import { expect } from 'chai';
import type { RetagEntry } from '../../../libs/connector/contract.ts';
import type { ConnectorError } from '../../../libs/connector/errors.ts';
import type { Fake } from '../../sandbox/contract.ts';
import { failureOf } from './failure-of.ts';
import { calm, callsTo, type VerbsOfStore, type VerbStage } from './verb-table.ts';

/** What a change of tags writes, and what it leaves alone. */
export function describeTags<TestFake extends Fake>(table: VerbsOfStore<TestFake>, stage: VerbStage): void {
  const { calls } = table;
  const mark = table.ours.tags ?? {};

  const retag = async (change: Partial<RetagEntry>) =>
    stage.session.retag?.({ ...stage.key(), tags: { team: 'red' }, removed: [], ...change }, calm());
  const failureOfRetag = async (change: Partial<RetagEntry> = {}): Promise<ConnectorError> =>
    failureOf(retag(change));

  it('a change of tags keeps those of others, our mark and the value', async () => {
    stage.plant('ours', { tags: { stranger: 'x', old: 'y', team: 'blue', ...mark } });
    const reference = table.reference ? '7' : stage.key().reference;
    const written = await retag({ reference, removed: ['old', 'team', ...Object.keys(mark)] });
    expect(callsTo(stage.fake)).to.deep.equal(calls.retag);
    expect(stage.stored()).to.deep.include({
      value: 'ours',
      versions: 1,
      tags: { stranger: 'x', team: 'red', ...mark },
    });
    expect(written).to.deep.equal({ reference });
  });

  it('a new tag is set by the calls of the table, and our mark never goes', async () => {
    stage.plant('ours');
    await retag({ removed: Object.keys(mark) });
    expect(callsTo(stage.fake)).to.deep.equal(calls.addTag);
    expect(stage.stored()?.tags).to.deep.equal({ team: 'red', ...mark });
  });

  it('tags that are as they should be are handled by the calls of the table', async () => {
    stage.plant('ours', { tags: { team: 'red', ...mark } });
    await retag({ removed: ['old'] });
    expect(callsTo(stage.fake)).to.deep.equal(calls.keepTags);
    expect(stage.stored()?.tags).to.deep.equal({ team: 'red', ...mark });
  });

  it('a change of tags on an entry that is gone reports it missing', async () => {
    stage.plant('ours');
    const key = stage.key();
    stage.fake.reset();
    expect((await failureOfRetag(key)).kind).to.equal('missing');
    expect(stage.fake.entries()).to.deep.equal([]);
  });

  it('a change of tags finds ours missing where somebody else made an entry meanwhile', async () => {
    stage.plant('theirs', { tags: { stranger: 'x' } });
    expect((await failureOfRetag({ reference: null })).kind).to.equal('missing');
    expect(stage.stored()?.tags).to.deep.equal({ stranger: 'x' });
  });

  it('a change of tags sets our mark on an entry that is taken over', async () => {
    stage.plant('theirs', { tags: { stranger: 'x' } });
    await retag({ isTakenOver: true });
    expect(stage.stored()?.tags).to.deep.equal({ stranger: 'x', team: 'red', ...mark });
  });
}
