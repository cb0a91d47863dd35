import { expect } from 'chai';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { calm, entry, failureOf, openSession, operationsOf } from './support.ts';

const MINUTES = 60_000;

describe('cloud1-sm: a wrong clock', () => {
  let fake: Cloud1SmFake;

  before(async () => {
    fake = await startCloud1SmFake();
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  for (const offset of [20 * MINUTES, -20 * MINUTES])
    it(`a worker ${offset / MINUTES} minutes behind AWS takes its time from the answer`, async () => {
      const times: number[] = [];
      const session = await openSession(
        fake,
        {},
        { noteClockOffset: (milliseconds) => times.push(milliseconds) },
      );
      fake.setClock(offset);
      await session.put(entry(), calm());
      expect(fake.entries()[0]?.value).to.equal('{"a":"1"}');
      expect(operationsOf(fake)).to.deep.equal(['CreateSecret', 'CreateSecret']);
      expect(times).to.have.length(1);
      expect(times[0]).to.be.closeTo(offset, 5000);
      await session.read({ name: entry().name, reference: null }, calm());
      expect(times).to.have.length(1);
    });

  it('a wrong signature for another reason is not tried again', async () => {
    const session = await openSession(fake);
    fake.addFault({ kind: 'error', code: 'InvalidSignatureException' });
    expect((await failureOf(session.put(entry(), calm()))).code).to.equal('credentials_refused');
    expect(operationsOf(fake)).to.deep.equal(['CreateSecret']);
  });
});
