import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openPage, type WatchedPage } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the session of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  // Somebody has typed a region in the steps to a new destination.
  const loseSessionWhileTyping = async (): Promise<WatchedPage> => {
    const watched = await scene.signIn();
    const { page } = watched;
    await page.clock.install();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.getByLabel('Region', { exact: true }).fill('eu-north-1');
    await scene.sealift.context.db('sessions').delete();
    await page.clock.fastForward(15_000);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    return watched;
  };

  it('a wrong token is refused in words, and a right one is not kept in the browser', async () => {
    const { page, context, faults } = await openPage(scene.browser, scene.sealift.url);
    await page.goto(scene.url);
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill('slt.wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Invalid or expired token').waitFor();
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(scene.sealift.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Everything is in sync (1 link).').waitFor();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Reveal password' }).click();
    await page.getByText('a-hidden-value').waitFor();
    const kept = String(
      await page.evaluate(
        'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])',
      ),
    );
    expect(kept).to.not.include(scene.sealift.token).and.not.include('a-hidden-value');
    expect(JSON.parse(kept)[2]).to.equal('');
    const cookies = await context.cookies();
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).to.deep.equal([[true, 'Strict']]);
    expect(JSON.stringify(cookies)).to.not.include(scene.sealift.token);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever loses the session finds what was typed after signing in again', async () => {
    const { page, context } = await loseSessionWhileTyping();
    expect(await page.getByLabel('Region', { exact: true }).isVisible()).to.equal(false);
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(scene.sealift.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Region', { exact: true }).waitFor();
    expect(await page.getByLabel('Region', { exact: true }).inputValue()).to.equal('eu-north-1');
    await context.close();
  });

  it('signing in again reloads all that was refused meanwhile, at once', async () => {
    const { page, context } = await scene.signIn();
    let refused = new Set<string>();
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.add(new URL(answer.url()).pathname);
    });
    await page.clock.install();
    const pages: [path: string, refusal: RegExp, shown: RegExp][] = [
      ['secrets/secret/app/', /secret\/metadata/, /^db/],
      ['destinations', /summary\/destinations/, /^prod/],
    ];
    for (const [path, refusal, shown] of pages) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('link', { name: shown }).first().waitFor();
      refused = new Set();
      await scene.sealift.context.db('sessions').delete();
      await eventually(async () => {
        await page.clock.fastForward(5000);
        return expect([...refused].join(' ')).to.match(refusal);
      });
      await page.getByRole('textbox', { name: 'Token', exact: true }).fill(scene.sealift.token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: shown }).first().waitFor();
      const denied = page.getByText(/permission denied/i);
      await eventually(async () => (await denied.count()) === 0, { limitMs: 5000 });
      expect(await page.getByText('Some data could not be loaded').count()).to.equal(0);
    }
    await context.close();
  });

  it('a revoked token closes the page that it has open, and the page says why', async () => {
    const { client } = scene.sealift;
    const policy = 'path "secret/*" { capabilities = ["read", "list"] }';
    await client.post('/v1/sys/policies/acl/reader', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['reader'], display_name: 'ann' });
    const { page, context } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Reveal password' }).click();
    await page.getByText('a-hidden-value').waitFor();
    await client.post('/v1/auth/token/revoke-accessor', { accessor: made.body.auth.accessor });
    // Less than the 30 seconds after which the page hides the value itself.
    await page.getByText('Your session was ended, or its token was revoked.').waitFor({ timeout: 15_000 });
    expect(await page.getByText('a-hidden-value').isVisible()).to.equal(false);
    await context.close();
  });

  it('a session that ran out is said to have expired', async () => {
    const { db } = scene.sealift.context;
    const { page, context } = await scene.signIn();
    await page.clock.install();
    await page.goto(scene.url);
    await page.getByText('Everything is in sync (1 link).').waitFor();
    await db('sessions').update({ last_used_at: new Date(Date.now() - 1801 * 1000) });
    await page.clock.fastForward('30:30');
    await page.getByText('Your session has expired.').waitFor();
    await context.close();
  });

  it('somebody else who signs in where a session was lost finds a fresh page', async () => {
    const { page, context } = await loseSessionWhileTyping();
    const made = await scene.sealift.client.post('/v1/auth/token/create', { policies: ['root'] });
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(made.body.auth.client_token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.content()).to.not.include('eu-north-1');
    await page.goBack();
    expect(await page.content()).to.not.include('eu-north-1');
    await context.close();
  });

  it('a page that lost its session waits for 15 minutes and no longer', async () => {
    const { page, context } = await loseSessionWhileTyping();
    await page.clock.fastForward('15:01');
    await page.getByRole('heading', { name: 'Sign in to Sealift' }).waitFor();
    expect(await page.content()).to.not.include('eu-north-1');
    await context.close();
  });

  it('an unused session warns a minute before it ends, and a press keeps it', async () => {
    const { db } = scene.sealift.context;
    const { page, context, faults } = await scene.signIn();
    await page.clock.install();
    await page.goto(scene.url);
    await page.getByText('Everything is in sync (1 link).').waitFor();
    // A request of the page that is still on its way would count as use.
    await page.waitForLoadState('networkidle');
    const idleFor = (seconds: number) =>
      db('sessions').update({ last_used_at: new Date(Date.now() - seconds * 1000) });
    await idleFor(1800 - 45);
    await page.clock.fastForward('29:00');
    await page.getByRole('heading', { name: 'Your session is about to expire' }).waitFor();
    await page.getByText(/It expires in (?:[1-3]?\d|4[0-2]) s/).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [{ last_used_at: used }] = await db('sessions')
      .orderBy('id', 'desc')
      .limit(1)
      .select('last_used_at');
    expect(Date.now() - used.getTime()).to.be.lessThan(30_000);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('signing out ends the session, and Back shows nothing', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Reveal password' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sealift' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to Sealift' }).waitFor();
    expect(await page.content()).to.not.include('app/db');
    await context.close();
  });

  it('another tab says that its user has signed out, and not that the session has expired', async () => {
    const { page, context } = await scene.enter();
    const other = await context.newPage();
    await other.goto(scene.url);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('You signed out in another tab.').waitFor();
    await context.close();
  });

  it('a page says that it is no longer current while the API is away, and goes on by itself', async () => {
    const { page, context } = await scene.signIn();
    await page.clock.install();
    await page.goto(scene.url);
    await page.getByText('Everything is in sync (1 link).').waitFor();
    await context.setOffline(true);
    await page.clock.fastForward(22_000);
    await page.getByText(/Connection lost/).waitFor();
    expect(await page.getByText('Everything is in sync (1 link).').isVisible()).to.equal(true);
    await context.setOffline(false);
    // The longest time between two attempts.
    await page.clock.fastForward(31_000);
    await page.getByText(/Updated \d+ s ago/).waitFor();
    await context.close();
  });

  it('a caller without a right is told so on the page, and can go on elsewhere', async () => {
    const { client } = scene.sealift;
    const path = {
      'sys/sync/summary': { capabilities: ['read'] },
      'sys/internal/ui/mounts': { capabilities: ['read'] },
      'sys/sync/destinations/cloud1-sm/prod': { capabilities: ['read'] },
    };
    await client.post('/v1/sys/policies/acl/watcher', { path });
    const made = await client.post('/v1/auth/token/create', { policies: ['watcher'] });
    const { page, context } = await openPage(scene.browser, scene.sealift.url);
    await page.goto(scene.url);
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(made.body.auth.client_token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Everything is in sync (1 link).').waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByText('You don’t have permission.').first().waitFor();
    await page
      .getByText('path "sys/sync/destinations/cloud1-sm/prod/associations/rows"')
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Which permission is missing?' }).first().click();
    await page.getByText('path "sys/sync/destinations/cloud1-sm/prod/check"').waitFor();
    expect(await page.getByRole('button', { name: 'Test connection', exact: true }).isDisabled()).to.equal(
      true,
    );
    await page.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${scene.url}audit`);
    await page.getByText('You don’t have permission.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Everything is in sync (1 link).').waitFor();
    await context.close();
  });

  it('another version of the page is fetched, and its parts are kept for a year', async () => {
    const page = await scene.sealift.client.get('/ui/destinations/any/where', { token: null });
    expect(page.status).to.equal(200);
    expect(page.headers['cache-control']).to.equal('no-store');
    const policy = String(page.headers['content-security-policy']);
    expect(policy)
      .to.include("trusted-types 'none'")
      .and.not.match(/unsafe|\*|https?:|data:/);
    const [, script = ''] = /src="(\/ui\/assets\/[^"]+)"/.exec(page.text) ?? [];
    const part = await scene.sealift.client.get(script, {
      token: null,
      headers: { 'accept-encoding': 'br' },
    });
    expect(part.headers['cache-control']).to.include('immutable');
    expect(part.headers['content-encoding']).to.equal('br');
    expect((await scene.sealift.client.get('/ui/assets/gone.js', { token: null })).status).to.equal(404);
    const root = { token: null, headers: { accept: 'text/html,application/xhtml+xml' } };
    const led = await scene.sealift.client.get('/', root);
    expect([led.status, led.headers['location']]).to.deep.equal([302, '/ui/']);
    await eventually(async () => (await scene.sealift.client.get('/', { token: null })).status === 403);
  });
});
