import { expect } from 'chai';
import type { Fault } from '../../sandbox/contract.ts';
import { openVercelScene, vercelSettings, type VercelScene } from '../../support/vercel-worker.ts';
import { expectOk } from './support.ts';

describe('a plan of other environments', () => {
  let fake: VercelScene['fake'];
  let sealift: VercelScene['sealift'];
  let driver: VercelScene['driver'];
  let close: VercelScene['close'];

  beforeEach(async () => {
    ({ fake, sealift, driver, close } = await openVercelScene());
    expectOk(await driver.configure(vercelSettings('production')));
    for (const name of ['one', 'two']) {
      await driver.write(name, { user: 'app' });
      expectOk(await driver.associate(name));
      await driver.settles(name, 'SYNCED');
    }
  });
  afterEach(() => close());

  const plan = async (...environments: string[]) =>
    expectOk(
      await sealift.client.post(`${driver.path}/plan`, {
        look: true,
        destination: { deployment_environments: environments },
      }),
    );

  const faults: Fault[] = [
    { kind: 'throttle', retryAfterSeconds: 60 },
    { kind: 'error', status: 500 },
    { kind: 'error', operation: 'listEnv' },
  ];
  for (const fault of faults)
    it(`a plan says what is at stake where the store does not answer, by ${JSON.stringify(fault)}`, async () => {
      fake.addFault(fault);
      const { secrets, totals, look } = await plan('production', 'preview');
      expect(totals).to.deep.equal({ unknown: 2 });
      expect(look).to.include({ entries: 2, unknown: 2 });
      expect(look.cause).to.be.an('object');
      expect(look.causes.map(({ entries }: { entries: number }) => entries)).to.deep.equal([2]);
      const { reason } = secrets[0].planned[0];
      expect(reason).to.contain('its value is added to the environment Preview; if ');
      expect(reason).to.match(
        /; if another entry of this name is there, our value stays as it is, and the link fails; the store could not be checked: /,
      );
    });

  it('a secret that is unlinked while its destination is paused is planned as unlinked', async () => {
    expectOk(await sealift.client.post(`${driver.path}/pause`, {}));
    expectOk(
      await sealift.client.post(`${driver.path}/associations/remove`, {
        mount: 'secret',
        secret_name: 'two',
      }),
    );
    const { secrets, totals } = await plan('production', 'preview');
    expect(totals).to.deep.equal({ update: 1, delete: 1 });
    expect(secrets[1]).to.include({ secret_name: 'two', unlinking: true });
    const kept = expectOk(
      await sealift.client.post(`${driver.path}/plan`, {
        look: true,
        destination: { deletion_policy: 'retain' },
      }),
    );
    expect(kept.totals).to.deep.equal({ unchanged: 1, retain: 1 });
  });

  it('a conflict says where our value stays although that is no longer selected', async () => {
    fake.plant({ name: 'ONE', value: 'theirs', target: ['preview'] });
    const { secrets } = await plan('preview');
    const [step] = secrets[0].planned;
    expect(step.action).to.equal('conflict');
    expect(step.reason)
      .to.contain('Another variable of this name in prj_web already has Preview.')
      .and.to.match(
        / Until then, our value stays in the environment Production, although it is no longer selected, and the link fails$/,
      );
  });

  it('a new value that waits alone is the reason of its row in a plan of settings', async () => {
    expectOk(await sealift.client.post(`${driver.path}/pause`, {}));
    await driver.write('one', { user: 'newer' });
    const { secrets } = await plan('production');
    expect(secrets[0].planned[0]).to.include({
      action: 'update',
      reason: 'a new value waits to be written',
    });
  });

  it('a plan of settings gives a reason for each value whose last write is not confirmed', async () => {
    const { client } = sealift;
    expectOk(await client.post(`${driver.path}/pause`, {}));
    await driver.write('one', { user: 'newer' });
    expectOk(await client.patch(driver.path, { deployment_environments: ['production', 'preview'] }));
    fake.addFault({ kind: 'error', status: 500 });
    expectOk(await client.post(`${driver.path}/resume`, {}));
    for (const name of ['one', 'two']) await driver.settles(name, 'EXTERNAL_SERVICE_ERROR');
    expectOk(await client.post(`${driver.path}/pause`, {}));
    fake.clearFaults();
    const reasonsOf = async (...environments: string[]): Promise<string[]> =>
      (await plan(...environments)).secrets.map(
        ({ planned }: { planned: { action: string; reason: string }[] }) =>
          planned.map(({ action, reason }) => `${action}: ${reason}`).join(),
      );
    const places = ', and it is added to the environment Preview';
    const [newer, unconfirmed] = [
      'update: a new value waits to be written',
      'update: the last write is not confirmed, so the value is written again',
    ];
    expect(await reasonsOf('production', 'preview')).to.deep.equal([
      `${newer}${places}`,
      `${unconfirmed}${places}`,
    ]);
    expect(await reasonsOf('production')).to.deep.equal([newer, unconfirmed]);
  });
});
