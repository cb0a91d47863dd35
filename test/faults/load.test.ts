import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createCaller } from './caller.ts';
import { runLoad } from './load.ts';

describe('a queue that fills while syncing is disabled', () => {
  let fake: Fake;
  let sealift: Sealift;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { one: cloud1Worker(fake), two: cloud1Worker(fake) } });
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('a full queue is drained by one call for each entry', async () => {
    const caller = createCaller([sealift.url], sealift.token);
    const figures = await runLoad({ caller, fake, destinations: 40, secrets: 10, say: () => undefined });
    expect(figures.wrong).to.equal(0);
    expect(fake.calls().filter(({ status }) => status === 200)).to.have.length(400 + 40);
  });
});
