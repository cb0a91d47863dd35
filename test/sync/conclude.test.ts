import { expect } from 'chai';
import type { Engine } from '../../libs/sync/engine.ts';
import { toFailure } from '../../libs/sync/push/failure.ts';
import { beginPlan } from '../../libs/sync/push/plan.ts';
import { conclude } from '../../libs/sync/push/conclude.ts';
import { ConnectorError, type FailureDetails } from '../../libs/connector/errors.ts';
import { destination } from '../../services/connectors/google-secret-manager/destination.ts';
import type { WorkOrder } from '../../libs/store/orders/order.ts';
import type { EntryResult, OrderResult } from '../../libs/store/orders/result.ts';

const RECHECK_MIN = 60_000;
const engine = { context: { config: { LEASE: 1000, RECHECK_MIN } }, destination } as unknown as Engine;

function resultOf(details: Partial<FailureDetails>, attempts = 0): OrderResult {
  const order = { destination: { failures: 0, revision: 1 }, mount: {}, source: null, entries: [], attempts };
  const error = new ConnectorError({ kind: 'client', code: 'refused', message: 'Refused.', ...details });
  const plan = beginPlan(order as unknown as WorkOrder);
  return conclude({ plan, outcomes: [] }, engine, toFailure(error));
}

describe('the next look at a failed push', () => {
  it('a failure that only a change of the secret can fix waits for that', () => {
    expect(resultOf({ final: true }).lookAgainMs).to.equal(null);
  });

  for (const [attempts, minutes] of [
    [0, 1],
    [1, 2],
    [2, 5],
    [3, 15],
    [4, 60],
    [40, 60],
  ] as const)
    it(`a failure that came ${attempts + 1} times is looked at after about ${minutes} minutes`, () => {
      const { lookAgainMs } = resultOf({}, attempts);
      expect(lookAgainMs).to.be.within(0.8 * minutes * RECHECK_MIN, 1.2 * minutes * RECHECK_MIN);
    });

  it('an entry that the store shows to be right already says that its destination works', () => {
    const order = {
      destination: { failures: 2, revision: 1 },
      mount: {},
      source: null,
      entries: [],
      attempts: 0,
    };
    const plan = beginPlan(order as unknown as WorkOrder);
    const found = (ownerSeen: boolean) => ({ entry: { ownerSeen } as EntryResult });
    const worksAfter = (ownerSeen: boolean) =>
      conclude({ plan, outcomes: [found(ownerSeen)] }, engine).finding?.works;
    expect([worksAfter(true), worksAfter(false)]).to.deep.equal([true, false]);
  });

  it('a failure of the whole destination is one finding', () => {
    const { lookAgainMs, finding } = resultOf({ scope: 'destination' });
    expect(lookAgainMs).to.equal(0);
    expect(finding).to.deep.include({ works: false, failures: 0, recheckMs: RECHECK_MIN });
    expect(finding?.failure?.code).to.equal('refused');
  });
});
