import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { Fake } from '../../sandbox/contract.ts';
import { eventually } from '../../support/eventually.ts';
import { failureOf } from './failure-of.ts';
import { expectNothingHidden, openWarm, type CallVerb, type FailuresOfStore } from './failure-table.ts';

/** What every verb of every connector does where no answer comes, or one that is not the store's. */
export function describeLostCalls<TestFake extends Fake, Operation extends string>(
  table: FailuresOfStore<TestFake, Operation>,
  current: () => { fake: TestFake; session: Session },
): void {
  const verbs = Object.entries(table.verbs) as [Operation, CallVerb<TestFake>][];
  const calm = (): AbortSignal => new AbortController().signal;

  it('a redirect is not followed by any verb, and no token leaves with it', async () => {
    const { fake, session } = current();
    const other = await table.startFake();
    for (const status of [302, 307, 308])
      for (const location of [other.url, `${fake.url}/secrets/elsewhere`])
        for (const [operation, verb] of verbs) {
          fake.clearCalls();
          fake.addFault({ kind: 'redirect', operation, status, location, times: 1 });
          const { kind, code, scope } = await failureOf(verb(session, fake, calm()));
          const meaning = table.redirect ?? ['external', 'redirected'];
          expect([kind, code, scope], operation).to.deep.equal([...meaning, 'destination']);
          expect(fake.callsOf(operation)).to.have.length(1);
          expect(fake.calls().at(-1)?.operation).to.equal(operation);
        }
    expect(other.calls()).to.deep.equal([]);
    await other.close();
  });

  it('a page of a proxy is no answer to any verb, and no entry counts as gone', async () => {
    const { fake, session } = current();
    const before = JSON.stringify(fake.entries());
    for (const status of [200, 404, 502, 503])
      for (const [operation, verb] of verbs) {
        fake.addFault({ kind: 'garbage', status });
        const failure = await failureOf(verb(session, fake, calm()));
        const code = status > 500 ? 'store_unavailable' : 'unexpected_answer';
        expect([failure.kind, failure.code], `${operation} and ${status}`).to.deep.equal(['external', code]);
        expectNothingHidden(failure, table.hidden);
        fake.clearFaults();
      }
    expect(JSON.stringify(fake.entries())).to.equal(before);
  });

  it('a cut connection is lost for one entry, and the next call has another', async () => {
    const { fake, session } = current();
    for (const [operation, verb] of verbs) {
      fake.addFault({ kind: 'cut', operation, times: 1 });
      const { kind, code, scope, unsent } = await failureOf(verb(session, fake, calm()));
      expect([kind, code, scope], operation).to.deep.equal(['external', 'connection_lost', 'entry']);
      expect(unsent, operation).to.equal(false);
    }
    await session.check(calm(), 'sealift-check');
  });

  it('a closed port is unreachable for every entry alike', async () => {
    const gone = await table.startFake();
    table.prepare?.(gone);
    const lost = await table.open(gone);
    await gone.close();
    for (const [operation, verb] of verbs) {
      const failure = await failureOf(verb(lost, gone, calm()));
      const { kind, code, scope, unsent } = failure;
      expect([kind, code, scope], operation).to.deep.equal(['external', 'unreachable', 'destination']);
      expect(unsent, operation).to.equal(true);
      expect(failure.message).to.contain('ECONNREFUSED');
      expectNothingHidden(failure, table.hidden);
    }
    await lost.close?.();
  });

  for (const kind of ['hang', 'hang-after'])
    it(`every verb has its time limit where the store does not answer (${kind})`, async () => {
      const { fake } = current();
      const hasty = await openWarm(table, fake, { callTimeoutMs: 500 });
      for (const [operation] of verbs) fake.addFault({ kind, operation });
      const failures = await Promise.all(verbs.map(([, verb]) => failureOf(verb(hasty, fake, calm()))));
      for (const failure of failures)
        expect(failure).to.include({
          kind: 'external',
          code: 'timed_out',
          scope: 'destination',
          unsent: false,
        });
      fake.clearFaults();
      await hasty.check(calm(), 'sealift-check');
      await hasty.close?.();
    });

  it('a call that never answers ends when the engine says so', async () => {
    const { fake, session } = current();
    fake.addFault({ kind: 'hang' });
    for (const [operation, verb] of verbs) {
      fake.clearCalls();
      const stop = new AbortController();
      const failing = failureOf(verb(session, fake, stop.signal));
      await eventually(() => fake.calls().length > 0);
      stop.abort();
      const { kind, code } = await failing;
      expect([kind, code], operation).to.deep.equal(['external', 'call_interrupted']);
    }
  });

  it('no verb begins a call after the engine has said stop', async () => {
    const { fake, session } = current();
    for (const [operation, verb] of verbs) {
      const { kind, code } = await failureOf(verb(session, fake, AbortSignal.abort()));
      expect([kind, code], operation).to.deep.equal(['external', 'call_interrupted']);
    }
    expect(fake.calls()).to.deep.equal([]);
  });
}
