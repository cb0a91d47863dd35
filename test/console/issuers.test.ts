import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the issuer of an auth method in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await client.post('/v1/sys/auth/ci', { type: 'jwt' });
    await client.post('/v1/sys/auth/fresh', { type: 'jwt' });
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const pem = String(key.export({ type: 'spki', format: 'pem' }));
    await client.post('/v1/auth/ci/config', {
      jwt_validation_pubkeys: [pem],
      bound_issuer: 'https://ci.example',
    });
    const onlyFrom = { user_claim: 'sub', token_bound_cidrs: ['10.0.0.0/8'] };
    await client.post('/v1/auth/ci/role/office', onlyFrom);
  });

  after(() => scene.close());

  it('the dialog shows only the fields that the chosen source of keys needs', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/auth/ci`);
    await page.getByRole('button', { name: 'Change the issuer…' }).click();
    const dialog = page.getByRole('dialog');
    const from = dialog.getByLabel('How are the keys found?');
    const areShown = async () => {
      const labels = ['Public keys (PEM)', 'Key set URL (JWKS)', 'Issuer URL (OIDC discovery)'];
      const counts = labels.map((label) => dialog.getByLabel(label).count());
      return (await Promise.all(counts)).join(' ');
    };
    expect(await areShown()).to.equal('1 0 0');
    await from.selectOption({ label: 'From the issuer’s address (OIDC discovery)' });
    expect(await areShown()).to.equal('0 0 1');
    expect(await dialog.getByLabel('Issuer in the tokens (iss)').count()).to.equal(0);
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Enter a value.').waitFor();
    await from.selectOption({ label: 'From the address of a key set (JWKS)' });
    expect(await areShown()).to.equal('0 1 0');
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByLabel('Key set URL (JWKS)').fill('https://ci.example/keys');
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/v1/auth/ci/config') && request.method() === 'POST',
    );
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    expect((await sent).postDataJSON()).to.deep.include({
      jwks_url: 'https://ci.example/keys',
      jwt_validation_pubkeys: [],
      bound_issuer: 'https://ci.example',
    });
    expect((await sent).postDataJSON()).to.not.have.property('keys_from');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an issuer that cannot be reached, and a key that is none, are told at their fields', async () => {
    await scene.sealift.start('maintenance', startKeyMaintenance);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/auth/fresh`);
    await page.getByRole('button', { name: 'Set up the issuer…' }).click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByLabel('Issuer URL (OIDC discovery)');
    await url.fill('https://127.0.0.1:9/x');
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Not done. Check Issuer URL (OIDC discovery).').waitFor();
    expect(await url.getAttribute('aria-invalid')).to.equal('true');
    expect(await dialog.getByText('Error checking').count()).to.equal(0);
    await dialog.getByLabel('How are the keys found?').selectOption({ label: 'Pasted here, as public keys' });
    const keys = dialog.getByLabel('Public keys (PEM)');
    await keys.fill('rubbish');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Not done. Check Public keys (PEM).').waitFor();
    expect(await keys.getAttribute('aria-invalid')).to.equal('true');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a role that only addresses bind says who can log in', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/auth/ci?role=office`);
    await page.getByText('everybody whom the issuer signs for can log in').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
