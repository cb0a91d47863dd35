import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { Fake } from '../../sandbox/contract.ts';
import { failureOf } from './failure-of.ts';
import { expectNothingHidden, faultOf, openWarm, readRow, type FailuresOfStore } from './failure-table.ts';
import { describeLostCalls } from './lost-calls.ts';

const SENTENCE = /^[A-Z].{18,200}\.$/;
// No answer of the store, so no request id.
const UNANSWERED = ['cut', 'hang', 'redirect', 'garbage'];

/** What each failure of a store means to the engine, from a table, and what no connector does after a failure. */
export function describeFailures<TestFake extends Fake, Operation extends string>(
  table: FailuresOfStore<TestFake, Operation>,
): void {
  describe(`failures of ${table.type}`, () => {
    let fake: TestFake;
    let session: Session;

    before(async () => {
      fake = await table.startFake();
    });
    beforeEach(async () => {
      fake.reset();
      table.prepare?.(fake);
      session = await openWarm(table, fake);
    });
    afterEach(async () => {
      await session.close?.();
    });
    after(() => fake.close());

    for (const row of table.rows) {
      const { fault, operation, what, outcome, says, calls } = readRow(row, table.waits);
      it(`${operation} that meets ${what} fails as ${outcome.kind} ${outcome.code}`, async () => {
        const before = JSON.stringify(fake.entries());
        fake.addFault(fault);
        const failure = await failureOf(table.verbs[operation](session, fake, new AbortController().signal));
        const { kind, code, scope, retryAfterMs } = failure;
        expect({ kind, code, scope, retryAfterMs }).to.deep.equal(outcome);
        expect(failure.message).to.match(SENTENCE).and.to.match(says);
        expect(failure.message).to.not.match(/[{}]/);
        expectNothingHidden(failure, table.hidden);
        if (table.requestId && !UNANSWERED.includes(fault.kind))
          expect(failure.requestId).to.match(table.requestId);
        expect(fake.callsOf(operation)).to.have.length(calls);
        expect(JSON.stringify(fake.entries())).to.equal(before);
      });
    }

    it('every message of the table is a sentence with words of ours to fill in', () => {
      const known = ['store', 'setting', ...table.words].map((word) => `{${word}}`);
      for (const { message = 'A sentence.' } of table.failures.rows) {
        expect(message).to.match(/^[A-Z{].*\.$/);
        for (const word of message.match(/\{\w+\}/g) ?? []) expect(word, message).to.be.oneOf(known);
      }
    });

    if (table.metElsewhere)
      it("every row of the product's table is met here, or named as met elsewhere", () => {
        expect(findUnmet(table)).to.deep.equal(table.metElsewhere);
      });

    describeLostCalls(table, () => ({ fake, session }));
  });
}

// A row of the product without codes is met by its status.
function findUnmet({ failures, rows }: Pick<FailuresOfStore<never, string>, 'failures' | 'rows'>): string[] {
  const faults = rows.map(([answer]) => faultOf(answer));
  const unmet = failures.rows.filter(({ codes, status }) => {
    if (codes) return !faults.some(({ code }) => code !== undefined && codes.includes(code));
    const [lowest = 0, highest = lowest] = [status ?? []].flat();
    return !faults.some((fault) => (fault.status ?? -1) >= lowest && (fault.status ?? -1) <= highest);
  });
  return unmet.map(({ code }) => code);
}
