import { expect } from 'chai';
import type { Connector } from '../../libs/connector/contract.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/aws-secrets-manager/connector.ts';
import { destination } from '../../services/connectors/aws-secrets-manager/destination.ts';
import { eventually } from '../support/eventually.ts';
import { openFailoverStage, type FailoverStage } from '../support/failover-stage.ts';
import { cloud1Environment } from '../support/sandboxed.ts';

const LOST = { access_key_id: 'AKIALOST', secret_access_key: 'lost', account: '222222222222' };
const NEXT = { access_key_id: 'AKIANEXT', secret_access_key: 'next', account: '333333333333' };

describe('sessions of connectors at a failover of the database', function () {
  let stage: FailoverStage;

  beforeEach(async () => {
    stage = await openFailoverStage({ ON_LOST_WRITES: 'continue' });
    for (const { access_key_id: id, secret_access_key: key, account } of [LOST, NEXT]) {
      stage.fake.giveOut(id, key);
      stage.fake.assign(id, account);
    }
  });
  afterEach(() => stage.stop());

  const valuesIn = (account: string): string[] =>
    stage.fake
      .entries()
      .flatMap(({ value, ...entry }) => (entry['region'] === `eu-west-1/${account}` ? [value ?? ''] : []));
  const configure = async ({ access_key_id, secret_access_key }: typeof LOST): Promise<void> => {
    const answer = await stage.configure({ access_key_id, secret_access_key });
    expect(answer.status, answer.text).to.equal(200);
  };

  it('a session is never used with settings that no row has', async () => {
    await stage.failOver(async () => {
      await configure(LOST);
      await stage.write('lost');
      await eventually(() => expect(valuesIn(LOST.account).join()).to.contain('lost'));
    });
    await eventually(() => configure(NEXT).then(() => true));
    expect((await stage.write('next')).status).to.equal(200);
    await eventually(() => expect(valuesIn(NEXT.account).join()).to.contain('next'));
    expect(valuesIn(LOST.account).join()).to.not.contain('next');
  });

  it('sessions that were opened on a branch that was left are closed', async () => {
    let closed = 0;
    let opened = 0;
    const counted: Connector = {
      ...connector,
      open: async (...given) => {
        const session = await connector.open(...given);
        opened += 1;
        return {
          ...session,
          close: async () => {
            closed += 1;
            await session.close?.();
          },
        };
      },
    };
    const environment = cloud1Environment(stage.fake);
    const options = { environment: (name: string) => environment[name] };
    await stage.start((context) =>
      startConnectorWorker(context, { destination, connector: counted }, options),
    );
    // The other worker may claim first, so it writes until this one has opened a session.
    await eventually(async () => {
      await stage.write(`again ${Date.now()}`);
      return opened === 1;
    });
    expect(closed).to.equal(0);
    await stage.failOver();
    await eventually(() => expect(closed).to.equal(1));
  });
});
