import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Cloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Answer, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

/** What the pushes need. `make` and `plain` make a new secret; `refused` and `readings` keep answers for the scan. */
export type Push = {
  client: Client;
  fake: Cloud1SmFake;
  make: (kind: string) => string;
  /** Of letters and digits only. */
  plain: (kind: string) => string;
  add: (kind: string, value: string) => void;
  accepted: (answer: Promise<Answer>) => Promise<Answer>;
  refused: (answer: Promise<Answer>) => Promise<void>;
  readings: Answer[];
  start: (program: string) => Promise<void>;
  /** Removes the command that waits for the settings worker. */
  takeCommand: () => Promise<void>;
};

const asJsonApi = (attributes: object): object => ({ data: { attributes } });
const noWait = { headers: { prefer: 'respond-async' } };

/** Sends secrets through every call that accepts one, well-formed or not, and makes syncs and settings changes fail. */
export async function pushEverywhere(push: Push): Promise<void> {
  await writeSecrets(push);
  await wrapSecrets(push);
  await makeTokens(push);
  await configureDestinations(push);
  await configureSite(push);
  await sync(push);
  await beRefused(push);
}

async function writeSecrets({ client, make, accepted, refused }: Push): Promise<void> {
  await accepted(client.post('/sys/mounts/plain', { type: 'kv' }));
  for (const name of ['db', 'other']) {
    await accepted(
      client.post(`/secret/data/${name}`, {
        data: { user: make('value'), deep: { list: [make('inner value')] } },
      }),
    );
  }
  await accepted(client.post('/plain/db', { password: make('plain value') }));
  const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
  await accepted(client.patch('/secret/data/db', { data: { added: make('patched value') } }, merge));
  await refused(client.post('/secret/data/db', { data: { a: make('value') }, options: { cas: 99 } }));
  await refused(client.post('/secret/data/db', { data: make('data that is no object') }));
  await refused(
    client.post('/secret/data/db', undefined, { raw: `{"data": {"a": "${make('broken JSON')}"` }),
  );
  await refused(
    client.post('/secret/data/db', undefined, {
      raw: `{"data":{"a":"${make('large')}${'x'.repeat(1_200_000)}"}}`,
    }),
  );
  await refused(
    client.patch(
      '/secret/data/db',
      { data: { a: make('value') } },
      { headers: { 'content-type': 'text/plain' } },
    ),
  );
  await refused(
    client.post('/secret/data/db', { data: { a: make('value') }, options: make('options') }, { token: null }),
  );
}

async function wrapSecrets({ client, make, add, accepted, refused }: Push): Promise<void> {
  const wrapping = { headers: { 'x-vault-wrap-ttl': '1h' } };
  const wrap = () => accepted(client.post('/sys/wrapping/wrap', { a: make('wrapped value') }, wrapping));
  const kept = (await wrap()).body.wrap_info.token;
  add('wrapping token', kept);
  await accepted(client.post('/sys/wrapping/lookup', { token: kept }));
  const used = (await wrap()).body.wrap_info.token;
  add('used wrapping token', used);
  await accepted(client.call('PUT', '/sys/wrapping/unwrap', undefined, { token: used }));
  await refused(client.call('PUT', '/sys/wrapping/unwrap', undefined, { token: used }));
  await refused(client.post('/sys/wrapping/unwrap', { token: make('unknown wrapping token') }));
}

async function makeTokens({ client, make, add, accepted, refused }: Push): Promise<void> {
  for (const options of [{}, { ttl: '1h' }]) {
    const { body } = await accepted(client.post('/auth/token/create', { policies: ['default'], ...options }));
    add('token', body.auth.client_token);
    await refused(client.get('/secret/data/db', { token: body.auth.client_token }));
    await accepted(client.post('/auth/token/renew', { token: body.auth.client_token }));
  }
  await refused(client.post('/auth/token/lookup', { token: make('unknown token') }));
  await refused(client.get('/secret/data/db', { token: make('forged token') }));
  await refused(client.post('/auth/token/create', { id: make('chosen token') }));
  await refused(client.get(`/secret/data/absent?token=${encodeURIComponent(make('token in a query'))}`));
}

async function configureDestinations({
  client,
  make,
  add,
  plain,
  accepted,
  refused,
  readings,
  fake,
}: Push): Promise<void> {
  const destinationPath = (name: string): string => `/sys/sync/destinations/${name}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  add('service account key', pem.split('\n')[5] ?? '');
  const account = {
    type: 'service_account',
    project_id: 'example-project',
    client_email: 'a@example.com',
    private_key: pem,
  };
  const appPem = String(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
  );
  add('key of a GitHub App', appPem.split('\n')[5] ?? '');
  await accepted(client.post('/sys/sync/github-apps/main', { app_id: 1, private_key: appPem }));
  readings.push(await client.get('/sys/sync/github-apps/main'));
  const vault = {
    key_vault_uri: 'https://example.vault.azure.net',
    client_id: 'id',
    tenant_id: 'example.com',
  };
  const repository = {
    access_token: `ghp_${plain('token')}`,
    repository_owner: 'a',
    repository_name: 'b',
  };
  add('access token', repository.access_token);
  const accessKey = { access_key_id: plain('key id'), secret_access_key: make('access key') };
  fake.giveOut(accessKey.access_key_id, accessKey.secret_access_key);
  const valid: [string, object][] = [
    [
      'cloud1-sm/main',
      {
        ...accessKey,
        region: 'eu-west-1',
        secret_name_template: '{{ .SecretPath }}',
      },
    ],
    ['cloud2-kv/main', { ...vault, client_secret: make('client secret') }],
    ['cloud3-sm/main', { credentials: JSON.stringify(account) }],
    ['repo-host/main', repository],
    [
      'hosting-project/main',
      { access_token: repository.access_token, project_id: 'prj_1', deployment_environments: ['preview'] },
    ],
  ];
  for (const [name, body] of valid) {
    await accepted(client.post(destinationPath(name), body));
    readings.push(await client.get(destinationPath(name)));
  }
  const secret = make('refused credential');
  await refused(
    client.post(destinationPath('cloud1-sm/bad'), {
      access_key_id: secret,
      secret_access_key: [secret, { secret }],
    }),
  );
  await refused(client.post(destinationPath('cloud1-sm/bad'), { secret_access_key: secret.repeat(50) }));
  await refused(
    client.post(destinationPath('cloud2-kv/bad'), { ...vault, client_secret: secret, cloud: 'none' }),
  );
  await refused(
    client.post(destinationPath('cloud3-sm/bad'), {
      credentials: JSON.stringify({ ...account, private_key: secret }),
    }),
  );
  await refused(
    client.post(destinationPath('cloud3-sm/bad'), { credentials: `{"type": "service_account", "${secret}` }),
  );
  const url = `https://user:${encodeURIComponent(secret)}@github.example.com`;
  await refused(client.post(destinationPath('repo-host/bad'), { ...repository, enterprise_url: url }));
  await refused(
    client.post(destinationPath('hosting-project/bad'), {
      access_token: `${secret} with a space`,
      project_id: 'p',
    }),
  );
}

async function configureSite({
  client,
  make,
  accepted,
  refused,
  readings,
  start,
  takeCommand,
}: Push): Promise<void> {
  const patch = (kind: string, attributes: object): Promise<Answer> =>
    client.patch(`/api/v2/admin/${kind}-settings`, asJsonApi(attributes));
  const waiting = patch('smtp', { password: make('password without a worker') });
  await takeCommand();
  await refused(waiting);
  await start('programs/settings/main.js');
  await accepted(
    patch('smtp', {
      host: '127.0.0.1',
      port: 1,
      sender: 'a@example.com',
      auth: 'plain',
      username: 'a',
      password: make('smtp password'),
    }),
  );
  await refused(
    patch('smtp', {
      enabled: true,
      password: make('tried password'),
      'test-email-address': 'b@example.com',
    }),
  );
  await accepted(patch('saml', { 'private-key': make('saml key') }));
  await refused(patch('saml', { enabled: true, 'private-key': make('saml key that is none') }));
  await accepted(
    patch('sms', { 'account-sid': 'AC1', 'auth-token': make('sms token'), 'from-number': '+15005550006' }),
  );
  await refused(patch('sms', { 'auth-token': [make('sms token in a list')] }));
  await accepted(
    patch('cost-estimation', {
      'aws-secret-key': make('aws'),
      'gcp-credentials': make('gcp'),
      'azure-client-secret': make('azure'),
    }),
  );
  await refused(patch('cost-estimation', { enabled: true, 'gcp-credentials': make('gcp that is none') }));
  for (const kind of ['smtp', 'saml', 'sms', 'cost-estimation']) {
    readings.push(await client.get(`/api/v2/admin/${kind}-settings`));
  }
}

async function sync({ client, make, accepted, readings, fake }: Push): Promise<void> {
  const root = '/sys/sync/destinations';
  const secret = { mount: 'secret', secret_name: 'db' };
  await accepted(client.post(`${root}/cloud1-sm/main/associations/set`, secret));
  await eventually(() => fake.entries().some(({ name }) => name === 'db'));
  for (const kind of ['error', 'garbage', 'cut']) fake.addFault({ kind, times: 1 });
  const { body } = await accepted(
    client.post('/secret/data/db', { data: { user: make('value that fails') } }),
  );
  expect(body.data.version).to.equal(3);
  for (const type of ['repo-host', 'cloud2-kv']) {
    await accepted(client.post(`${root}/${type}/main/associations/set`, secret, noWait));
  }
  await eventually(() => fake.callsOf('PutSecretValue').length > 0);
  readings.push(await client.post(`${root}/repo-host/main/check`));
  const query = 'mount=secret&secret_name=db';
  for (const type of ['cloud1-sm', 'repo-host', 'cloud2-kv']) {
    readings.push(await client.get(`${root}/${type}/main/associations`));
    readings.push(await client.get(`${root}/${type}/main/associations/history?${query}`));
  }
  readings.push(
    await client.post(`${root}/cloud1-sm/main/associations/plan`, { mount: 'secret', secret_name: 'other' }),
  );
}

async function beRefused({ client, make, refused, readings }: Push): Promise<void> {
  await refused(client.post('/sys/policies/acl/bad', { policy: `{"path": {"a": "${make('policy text')}"` }));
  await refused(
    client.post('/users/saml/auth', undefined, {
      raw: `SAMLResponse=${encodeURIComponent(make('assertion'))}`,
      token: null,
    }),
  );
  readings.push(await client.get('/api/v2/admin/audit-events?page[size]=100'));
}
