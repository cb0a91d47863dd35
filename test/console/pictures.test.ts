import { expect } from 'chai';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory } from '../../deploy/local/root.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const folder = join(localDirectory, 'artifacts');
const MINUTE = 60_000;

const SETTINGS: Record<string, object> = {
  'cloud1-sm/payments': {
    access_key_id: 'AKIAEXAMPLE',
    secret_access_key: 'example-value',
    region: 'eu-west-1',
  },
  'cloud1-sm/analytics': {
    access_key_id: 'AKIAEXAMPLE',
    secret_access_key: 'example-value',
    region: 'eu-north-1',
  },
  'repo-host/web': { access_token: 'example-value', repository_owner: 'example', repository_name: 'web' },
  'hosting-project/site': {
    access_token: 'example-value',
    project_id: 'prj_example',
    deployment_environments: ['production'],
  },
};

// `make screenshots` puts two of them into the README.
describe('pictures of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    mkdirSync(folder, { recursive: true });
    await fill();
  });

  after(() => scene.close());

  const fill = async (): Promise<void> => {
    const { client, context } = scene.sealift;
    for (const path of ['app/db', 'app/mail', 'app/payments', 'web/session']) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 4 });
    for (const [path, settings] of Object.entries(SETTINGS)) {
      const made = await client.post(`/v1/sys/sync/destinations/${path}`, settings);
      expect(made.status, made.text).to.equal(200);
    }
    await scene.putRows('cloud1-sm', 'prod', 1240, 'services');
    await scene.putRows('cloud1-sm', 'payments', 310, 'payments');
    await scene.putRows('cloud1-sm', 'analytics', 86, 'analytics');
    await scene.putRows('repo-host', 'web', 24, 'web');
    await scene.putRows('hosting-project', 'site', 12, 'site');
    const ago = (ms: number): Date => new Date(Date.now() - ms);
    const cause = {
      class: 'CLIENT_SIDE_ERROR',
      code: 'credentials_refused',
      message:
        'AWS Secrets Manager does not accept the credentials: they are wrong, expired or revoked. Set new credentials.',
    };
    const due = { due_at: ago(12 * MINUTE), generation: 2 };
    await rowsOf('payments').limit(8).update(due);
    await context
      .db('destinations')
      .where({ name: 'payments' })
      .update({
        failure: JSON.stringify(cause),
        failures: 3,
        failed_at: ago(2 * MINUTE),
        failing_since: ago(12 * MINUTE),
        probe_at: new Date(Date.now() + 3 * MINUTE),
      });
    await rowsOf('analytics')
      .limit(5)
      .update({ due_at: ago(20_000), generation: 2 });
    await context
      .db('destinations')
      .where({ name: 'analytics' })
      .update({ throttled_until: new Date(Date.now() + 5 * MINUTE) });
    const taken = {
      class: 'CLIENT_SIDE_ERROR',
      code: 'conflict',
      message:
        'GitHub Actions already has an entry with this name that is not managed by Sealift. Adopt or overwrite it, rename or delete it in the store, or give the link another name.',
    };
    await rowsOf('web')
      .limit(2)
      .update({ failure: JSON.stringify(taken), failing_since: ago(185 * MINUTE) });
  };

  const rowsOf = (name: string) => {
    const { db } = scene.sealift.context;
    const ids = db('associations AS a')
      .join('destinations AS d', 'd.id', 'a.destination_id')
      .where('d.name', name);
    return {
      limit: (count: number) => ({
        update: (change: object) =>
          db('associations').whereIn('id', ids.orderBy('a.id').limit(count).select('a.id')).update(change),
      }),
    };
  };

  for (const theme of ['light', 'dark'] as const) {
    it(`the overview has its picture in the ${theme} theme`, async () => {
      const { page, context, faults } = await scene.enter({ theme, size: { width: 1200, height: 860 } });
      await page.getByText('needs attention').or(page.getByText('need attention')).first().waitFor();
      await page.getByText('site', { exact: true }).waitFor();
      await page.mouse.move(0, 0);
      const path = join(folder, `console-${theme}.png`);
      await page.screenshot({ path });
      expect(statSync(path).size).to.be.greaterThan(10_000);
      expect(faults).to.deep.equal([]);
      await context.close();
    });
  }
});
