import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { findBarriers } from './support/axe.ts';
import { copyCurl } from './support/copy.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const TOKENS = 'Identity tokens and a role (nothing is stored)';
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('how a destination signs in, in the console', function () {
  let scene: ConsoleScene;
  let issuer: string;

  before(async function () {
    this.timeout(600_000);
    const port = await choosePort(undefined);
    scene = await openConsoleScene({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
    const shown = await scene.sealift.client.get('/v1/sys/sync/destinations/cloud1-sm/prod/identity');
    issuer = shown.body.data.iss;
    await scene.sealift.client.post('/v1/sys/namespaces/shops');
  });

  after(() => scene.close());

  it('each way to sign in shows its own fields, and its set-up has the issuer and the subject', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.getByLabel('Destination name').fill('federated');
    await page.getByLabel('Access key ID').waitFor();
    expect(await page.getByLabel('Audience of identity tokens').count()).to.equal(0);
    await page.getByLabel('Access key ID').fill('typed-before');
    await page.getByLabel('Signs in with').selectOption({ label: TOKENS });
    expect(await page.getByLabel('Access key ID').count()).to.equal(0);
    await page.getByLabel('Role', { exact: true }).fill('arn:aws:iam::123456789012:role/sealift');
    await page.getByLabel('Audience of identity tokens').fill('sts.amazonaws.com');
    const setUp = page.getByRole('region', { name: 'Set up at the store' });
    const text = await setUp.innerText();
    const subject = 'secrets-sync:root:aws-sm:federated';
    expect(text).to.include(`--url ${issuer} --client-id-list sts.amazonaws.com`);
    expect(text).to.include(`"${issuer.replace(/^https?:\/\//, '')}:sub": "${subject}"`);
    expect(text).to.not.match(/\{(?:iss|issuer|sub|aud)\}/);
    // The issuer of the test is a plain http address.
    expect(text).to.include('This issuer is not public.').and.to.include('ISSUER_URL');
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel('Signs in with').selectOption({ label: 'Access key' });
    expect(await page.getByLabel('Access key ID').inputValue()).to.equal('typed-before');
    expect(await setUp.count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an empty form of a new destination marks all that it misses at once, as it signs in', async () => {
    const { page, context, faults } = await scene.signIn();
    const checks: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/check')) checks.push(request.url());
    });
    const misses = async (labels: string[]): Promise<void> => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText(`Not tested. Check ${labels.join(', ')}.`).waitFor();
      expect(await page.locator('[aria-invalid="true"]').count()).to.equal(labels.length);
    };
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await misses(['Destination name', 'Access key ID', 'Secret access key']);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel('Signs in with').selectOption({ label: 'The worker’s own identity' });
    await misses(['Destination name']);
    await page.getByLabel('Signs in with').selectOption({ label: TOKENS });
    await page.getByLabel('Audience of identity tokens').fill('');
    await misses(['Destination name', 'Role', 'Audience of identity tokens']);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    expect(await page.getByLabel('Audience of identity tokens').count()).to.equal(1);
    expect(checks).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a test tells what was tried, and speaks of credentials only where there are some', async () => {
    const { page, context, faults } = await scene.signIn();
    const role = 'arn:aws:iam::123456789012:role/tried';
    const subject = 'secrets-sync:root:aws-sm:tried';
    scene.fake.addRole({ arn: role, trust: { issuer, audience: 'sts.amazonaws.com', subject } });
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.getByLabel('Destination name').fill('another');
    await page.getByRole('textbox', { name: 'Region', exact: true }).fill('eu-west-1');
    await page.getByLabel('Signs in with').selectOption({ label: TOKENS });
    await page.getByLabel('Role', { exact: true }).fill(role);
    const test = page.getByRole('button', { name: 'Test connection' });
    await test.click();
    await page.getByText('Failed: role, service account or installation.').waitFor();
    await page.getByLabel('Destination name').fill('tried');
    await test.click();
    const passed = 'token signed, exchanged for access, role taken, rights tried. Nothing is saved yet.';
    await page.getByText(new RegExp(`^Signed in with an identity token \\(\\d+ ms\\): ${passed}$`)).waitFor();
    expect(await page.getByText(/credentials (accepted|rejected)/i).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the set-up of the worker’s own identity has the session name before there is a destination', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.getByLabel('Signs in with').selectOption({ label: 'The worker’s own identity' });
    const setUp = page.getByRole('region', { name: 'Set up at the store' });
    await setUp.getByText('"<session name>"').waitFor();
    await page.getByLabel('Destination name').fill('no name!');
    await page.getByLabel('Destination name').fill('own');
    const path = '/v1/sys/sync/destinations/aws-sm/own';
    const { role_session_name: session } = (await scene.sealift.client.get(`${path}/identity?draft=true`))
      .body.data;
    await setUp.getByText(`"${session}"`).waitFor();
    expect(await setUp.innerText()).to.include('"secretsmanager:CreateSecret"');
    const settings = { region: 'eu-west-1', role_arn: 'arn:aws:iam::123456789012:role/own' };
    await scene.sealift.client.post(path, settings);
    const stored = (await scene.sealift.client.get(`${path}/identity`)).body.data;
    expect(stored).to.include({ mode: 'ambient', role_session_name: session });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the settings show the audience that is stored, which is no secret', async () => {
    const { page, context } = await scene.signIn();
    const settings = { region: 'eu-west-1', role_arn: 'arn:aws:iam::123456789012:role/shown' };
    const federated = { ...settings, identity_token_audience: 'sts.example.com' };
    await scene.sealift.client.post('/v1/sys/sync/destinations/aws-sm/shown', federated);
    await page.goto(`${scene.url}destinations/cloud1-sm/shown/settings`);
    const stored = page.locator('[data-stored-secret="identity_token_audience"]');
    await stored.getByText('sts.example.com', { exact: true }).waitFor();
    await context.close();
  });

  it('the subject and the issuer are those of the namespace of the page', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}connect?ns=shops`);
    await page.getByRole('button', { name: 'Choose Azure Key Vault' }).click();
    await page.getByLabel('Destination name').fill('till');
    await page.getByLabel('Signs in with').selectOption({ label: 'Identity tokens (nothing is stored)' });
    const text = await page.getByRole('region', { name: 'Set up at the store' }).innerText();
    expect(text).to.include('"subject": "secrets-sync:shops:azure-kv:till"');
    expect(text).to.include(`"issuer": "${issuer.replace('/v1/', '/v1/shops/')}"`);
    await context.close();
  });

  it('direct access to Google shows the rights of the principal, and no service account', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose Google Cloud Secret Manager' }).click();
    await page.getByLabel('Destination name').fill('direct');
    await page.getByLabel('Signs in with').selectOption({ label: 'Identity tokens (nothing is stored)' });
    const setUp = page.getByRole('region', { name: 'Set up at the store' });
    expect(await setUp.innerText()).to.include('gcloud iam service-accounts add-iam-policy-binding');
    await page.getByRole('checkbox', { name: 'Direct access' }).check();
    const text = await setUp.innerText();
    expect(text).to.include('gcloud projects add-iam-policy-binding').and.not.include('service-accounts');
    expect(text).to.include('/subject/secrets-sync:root:gcp-sm:direct"');
    await context.close();
  });

  it('a way to sign in that is chosen again has what was typed for it, until it is discarded', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    const choose = (label: string) => page.getByLabel('Signs in with').selectOption({ label });
    await choose(TOKENS);
    await page.getByLabel('Audience of identity tokens').fill('typed.example');
    await choose('The worker’s own identity');
    await choose(TOKENS);
    expect(await page.getByLabel('Audience of identity tokens').inputValue()).to.equal('typed.example');
    await page.getByRole('button', { name: 'Discard' }).click();
    await choose(TOKENS);
    expect(await page.getByLabel('Audience of identity tokens').inputValue()).to.equal('sts.amazonaws.com');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change to another way takes the stored credentials away, and back leaves them alone', async () => {
    const watched = await scene.signIn(CLIPBOARD);
    const { page, context, faults } = watched;
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByRole('button', { name: 'Replace Access key ID' }).waitFor();
    await page.getByLabel('Signs in with').selectOption({ label: TOKENS });
    await page.getByLabel('Role', { exact: true }).fill('arn:aws:iam::123456789012:role/sealift');
    await page.getByLabel('Audience of identity tokens').fill('sts.amazonaws.com');
    const change = await copyCurl(watched, 'Save');
    expect(change).to.include('"access_key_id":null').and.include('"secret_access_key":null');
    expect(await page.getByRole('region', { name: 'Set up at the store' }).innerText()).to.include(
      'secrets-sync:root:aws-sm:prod',
    );
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel('Signs in with').selectOption({ label: 'Access key' });
    await page.getByRole('button', { name: 'Replace Access key ID' }).waitFor();
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).to.equal(
      'arn:aws:iam::123456789012:role/sealift',
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
