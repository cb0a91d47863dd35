import { startConnectorWorker } from '../../libs/sync/worker.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { describeBounds } from './conformance/bounds.ts';
import { describeKeys } from './conformance/keys.ts';
import { describeOutages } from './conformance/outages.ts';
import { describeOwnership } from './conformance/ownership.ts';
import { describePlaces } from './conformance/places.ts';
import { Stage, type Subject } from './conformance/stage.ts';
import { describeValues } from './conformance/values.ts';

// Short times, so that failures and retries fit into a test.
const ENVIRONMENT = {
  CALL_TIMEOUT: '2000',
  LEASE: '4000',
  RETRY_MIN: '60',
  RETRY_MAX: '500',
  SWEEP_INTERVAL: '200',
  EGRESS_ALLOW: '127.0.0.0/8,localhost',
};

/** The same claims for every destination type, through the real API, broker, database and SDK. */
export function describeConformance<TestFake extends Fake>(concrete: Subject<TestFake>): void {
  // Safe, because the stage passes back only what `startFake` returned.
  const subject = concrete as unknown as Subject;
  const { destination, connector } = subject;
  const stage = new Stage(subject);

  describe(`conformance of ${destination.type}`, () => {
    let fake: Fake;
    let sealift: Sealift;

    before(async () => {
      fake = await subject.startFake();
      const environment = subject.environment(fake);
      const options = { environment: (name: string) => environment[name] };
      sealift = await startSealift({
        environment: ENVIRONMENT,
        workers: {
          connector: (context) => startConnectorWorker(context, { destination, connector }, options),
        },
      });
    });

    after(async () => {
      await sealift?.stop();
      await fake?.close();
    });

    beforeEach(() => stage.begin(fake, sealift));

    afterEach(async () => {
      await sealift.client.delete(`${stage.driver.path}?force_delete=true`);
    });

    describeValues(stage);
    describeKeys(stage);
    describe('exact bounds', () => describeBounds(stage));
    describeOwnership(stage);
    describePlaces(stage);
    describeOutages(stage);
  });
}
