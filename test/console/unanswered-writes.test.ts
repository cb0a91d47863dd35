import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the page of a link whose write the store takes and does not answer', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ CALL_TIMEOUT: '8000', LEASE: '24000' });
    await scene.link('app/db');
    await scene.driver.settles('app/db', 'SYNCED');
  });

  after(() => scene.close());

  it('Verify names the version that is there, and a time-out leaves open which one it is', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    scene.fake.addFault({ kind: 'hang-after', operation: 'PutSecretValue' });
    await scene.driver.write('app/db', { user: 'second' });
    await eventually(() => expect(scene.fake.entries()[0]?.value).to.equal('{"user":"second"}'));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('app/db matches v2.').waitFor();
    await page.getByRole('cell', { name: 'v2 (store has v1, or already v2)', exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
