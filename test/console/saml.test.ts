import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { openPage, type WatchedPage } from './support/browser.ts';
import { readClipboard } from './support/copy.ts';
import { openSamlScene, type Provider } from './support/provider.ts';
import type { ConsoleScene } from './support/scene.ts';

const SESSION = `fetch('/v1/auth/session').then((answer) => answer.json())`;

describe('signing in to the console at an identity provider', function () {
  let scene: ConsoleScene;
  let provider: Provider;

  before(async function () {
    this.timeout(600_000);
    ({ scene, provider } = await openSamlScene());
    await scene.sealift.client.patch('/api/v2/admin/customization-settings', {
      data: { attributes: { 'login-help': 'Ask the platform team. <b>Now</b>' } },
    });
  });

  after(async () => {
    await scene.close();
    await provider.stop();
  });

  const open = (attributes: Record<string, string[]> = {}): Promise<WatchedPage> => {
    provider.attributes = attributes;
    return openPage(scene.browser, scene.sealift.url, { ignoreHTTPSErrors: true });
  };
  const ownFaults = ({ faults }: WatchedPage) => faults.filter((fault) => !fault.includes(provider.url));

  it('a person signs in at the provider, gets a session, and no address ever held a token', async () => {
    const watched = await open({ SiteAdmin: ['true'] });
    const { page, context } = watched;
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.goto(scene.url);
    await page.getByText('Ask the platform team. <b>Now</b>').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByText('saml-ada').waitFor();
    expect(page.url().startsWith(scene.url), page.url()).to.equal(true);
    expect(addresses.join(' ')).to.not.match(/slt\.|sls\./);
    const names = (await context.cookies(scene.url)).map(({ name, httpOnly }) => [
      name.slice(0, 13),
      httpOnly,
    ]);
    expect(names).to.have.length(1);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'SAML settings' }).waitFor();
    expect(ownFaults(watched)).to.deep.equal([]);
    await context.close();
  });

  it('a person without permissions reads whom to ask for them', async () => {
    const watched = await open();
    const { page, context } = watched;
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByRole('heading', { name: 'Welcome to Sealift' }).waitFor();
    await page.getByText('Ask an administrator of Sealift for a policy or a team.').waitFor();
    await page.getByText('counts once you sign in again').waitFor();
    expect(await page.getByText('goes on by itself').count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Sign out and sign in again' }).click();
    await page.getByRole('link', { name: 'Single sign-on' }).waitFor();
    expect(ownFaults(watched)).to.deep.equal([]);
    await context.close();
  });

  it('a person with teams in several namespaces chooses one, and gets its policies alone', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/namespaces/shops');
    for (const namespace of ['', 'shops'])
      await client.post('/v1/sys/teams/dev', { policies: [`of-${namespace || 'root'}`] }, { namespace });
    const { page, context } = await open({ MemberOf: ['dev'] });
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByRole('heading', { name: 'Choose a namespace' }).waitFor();
    await page.getByRole('button', { name: 'root' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'shops' }).click();
    await page.getByRole('button', { name: 'Namespace shops' }).waitFor();
    expect(page.url()).to.include(scene.url);
    const mine = () => page.evaluate<{ data: Record<string, unknown> }>(SESSION);
    const { data: session } = await mine();
    expect(session).to.deep.include({ namespace_path: 'shops/', policies: ['default', 'of-shops'] });
    await context.close();
  });

  it('a namespace that is not among those to choose from gives no session', async () => {
    const { page, context } = await open({ MemberOf: ['dev'] });
    await scene.sealift.client.post('/v1/sys/namespaces/others');
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByRole('heading', { name: 'Choose a namespace' }).waitFor();
    const request = `fetch('/v1/auth/session/saml', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: '{"namespace": "others/"}' }).then(({ status }) => status)`;
    expect(await page.evaluate<number>(request)).to.equal(403);
    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('button', { name: 'Namespace root' }).waitFor();
    await context.close();
  });

  it('a person whose only team is in a namespace below signs in there, without a question', async () => {
    await scene.sealift.client.post('/v1/sys/teams/tills', { policies: ['default'] }, { namespace: 'shops' });
    const { page, context } = await open({ MemberOf: ['tills'] });
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByRole('button', { name: 'Namespace shops' }).waitFor();
    await context.close();
  });

  it('the page of a refused sign-in leads back to the sign-in page', async () => {
    const { page, context } = await open({ Username: ['ada', 'eve'] });
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
    // The style counts only if the policy of the page allows it.
    const width = `getComputedStyle(document.querySelector('main')).maxWidth`;
    expect(await page.evaluate<string>(width)).to.equal('704px');
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(page.url()).to.include('/users/saml/auth');
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await page.getByRole('link', { name: 'Single sign-on' }).waitFor();
    expect(page.url().startsWith(scene.url), page.url()).to.equal(true);
    await context.close();
  });

  it('an administrator tests the sign-in in a window of its own, and stays who they are', async () => {
    provider.attributes = { MemberOf: ['dev'], Mail: ['ada@example.com'] };
    const { page, context, faults } = await scene.signIn({ ignoreHTTPSErrors: true });
    await page.goto(`${scene.url}settings/saml`);
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Test sign-in' }).click();
    const shown = await opened;
    await shown.getByRole('heading', { name: 'Sign-in works' }).waitFor();
    for (const text of ['dev', 'ada@example.com', 'nobody was signed in'])
      await shown.getByText(text).first().waitFor();
    await page.getByRole('link', { name: 'continue at the identity provider' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    const { data } = await page.evaluate<{ data: Record<string, unknown> }>(SESSION);
    expect(data['display_name']).to.equal('root');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the addresses for the provider are said to be wrong only if this is not the public one', async () => {
    const { page, context, faults } = await scene.signIn({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${scene.url}settings/saml`);
    await page.getByRole('button', { name: 'Copy the Entity ID' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await readClipboard({ page, context })).to.equal(`${scene.sealift.url}/users/saml/metadata`);
    expect(await page.getByText('PUBLIC_URL').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();

    const elsewhere = scene.sealift.url.replace('127.0.0.1', 'localhost');
    const other = await openPage(scene.browser, elsewhere);
    const headers = { authorization: `Bearer ${scene.sealift.token}`, origin: elsewhere };
    expect((await other.context.request.post(`${elsewhere}/v1/auth/session`, { headers })).ok()).to.equal(
      true,
    );
    await other.page.goto(`${elsewhere}/ui/settings/saml`);
    await other.page.getByText('but you opened Sealift at').waitFor();
    expect(await other.page.getByText(elsewhere, { exact: true }).count()).to.equal(2);
    expect(await findBarriers(other.page)).to.deep.equal([]);
    await other.context.close();
  });

  it('the settings lead to the teams, which say how their names come from the provider', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/saml`);
    await page.getByLabel('Teams attribute').waitFor();
    await page.getByLabel('Site admin team').waitFor();
    await page.getByRole('link', { name: 'Access › Teams' }).click();
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add a team' }).first().click();
    await page.getByText('in the teams attribute of the SAML settings').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the settings of single sign-on are saved with a token', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/saml`);
    await page.getByLabel('Token lifetime (seconds)').fill('3600');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Change single sign-on' });
    await dialog.getByLabel('Your token').fill('slt.unknown');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This token is invalid or expired').first().waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await scene.sealift.client.get('/api/v2/admin/saml-settings');
    expect(body.data.attributes).to.include({ 'sso-api-token-session-timeout': 3600 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a refusal at a field of the settings names fields by their labels', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/saml`);
    await page
      .getByLabel('IdP certificate', { exact: true })
      .fill('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('“IdP certificate” is a private key: send the certificate').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await page.getByText(/idp-cert/i).count()).to.equal(0);
    expect(faults.filter((fault) => !fault.includes('422'))).to.deep.equal([]);
    await context.close();
  });

  it('whoever comes back without having begun is told to begin again', async () => {
    const { page, context } = await openPage(scene.browser, scene.sealift.url);
    await page.goto(`${scene.url}signing-in`);
    await page.getByText('No sign-in at the identity provider waits for this browser').waitFor();
    await page.getByRole('link', { name: 'Single sign-on' }).waitFor();
    await context.close();
  });
});
