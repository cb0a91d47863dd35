import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { createFetch } from '../../libs/egress/fetch.ts';
import { guardedAgent } from '../../libs/egress/agent.ts';
import type { Resolve } from '../../libs/egress/lookup.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector as vaultConnector } from '../../services/connectors/azure-key-vault/connector.ts';
import { destination as vault } from '../../services/connectors/azure-key-vault/destination.ts';
import { connector as repositoryConnector } from '../../services/connectors/github-secrets/connector.ts';
import { destination as repository } from '../../services/connectors/github-secrets/destination.ts';
import { startSealift, type Sealift, type Starter } from '../support/sealift.ts';

const HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '１２７.0.0.1',
  '127。0。0。1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[2001::1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[2001:db8::1]',
  '[ff02::1]',
];

const URLS = [
  ...HOSTS.map((host) => `https://${host}/`),
  ...HOSTS.slice(0, 6).map((host) => `http://${host}/`),
  'http://github.example.com/',
  'https://user:word@github.example.com/',
  'https://github.example.com@127.0.0.1/',
  'https://127.0.0.1#github.example.com/',
  'https://127.0.0.1\\@github.example.com/',
  'https:127.0.0.1',
  '//127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:25/',
  'data:text/plain,a',
  'https://[::1',
  'not a URL',
  '',
].filter((url) => url !== '');

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  type: 'service_account',
  project_id: 'example-project',
  client_email: 'a@example.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
};
const vaultBody = { client_id: 'id', client_secret: 'example-value', tenant_id: 'example.com' };
const repositoryBody = { access_token: 'example-value', repository_owner: 'a', repository_name: 'b' };

/** All fields in which a caller can name an address that the service would call. */
const fields: { type: string; name: string; body: (url: string) => object }[] = [
  { type: 'repo-host', name: 'enterprise_url', body: (url) => ({ ...repositoryBody, enterprise_url: url }) },
  { type: 'cloud2-kv', name: 'key_vault_uri', body: (url) => ({ ...vaultBody, key_vault_uri: url }) },
  {
    type: 'cloud3-sm',
    name: 'token_uri',
    body: (url) => ({ credentials: JSON.stringify({ ...account, token_uri: url }) }),
  },
  {
    type: 'cloud3-sm',
    name: 'universe_domain',
    body: (url) => ({
      credentials: JSON.stringify({ ...account, universe_domain: url.replace(/^\w*:?\/*/, '') || 'a' }),
    }),
  },
  { type: 'cloud1-sm', name: 'region', body: (url) => ({ region: url }) },
];

const worker =
  (parts: Parameters<typeof startConnectorWorker>[1]): Starter =>
  (context) =>
    startConnectorWorker(context, parts, { environment: () => undefined });

describe('addresses that a caller names', function () {
  let sealift: Sealift;
  let trap: Server;
  let caught = 0;
  let port = 0;

  before(async () => {
    trap = createServer((_, response) => response.end('{}')).on('connection', () => (caught += 1));
    await new Promise<void>((resolve) => trap.listen(0, '0.0.0.0', resolve));
    port = (trap.address() as AddressInfo).port;
    sealift = await startSealift({
      environment: { CALL_TIMEOUT: '2000', LEASE: '6000' },
      workers: {
        'repo-host': worker({ destination: repository, connector: repositoryConnector }),
        'cloud2-kv': worker({ destination: vault, connector: vaultConnector }),
      },
    });
  });

  after(async () => {
    await sealift.stop();
    trap.close();
    trap.closeAllConnections();
  });

  for (const { type, name, body } of fields) {
    it(`an address that leads inside is refused in ${name} of ${type}, in every spelling`, async () => {
      for (const url of URLS) {
        const answer = await sealift.client.post(`/sys/sync/destinations/${type}/inside`, body(url));
        expect(answer.status, `${url}: ${answer.text}`).to.equal(400);
        expect(answer.text).to.not.include('word');
      }
      expect((await sealift.client.get(`/sys/sync/destinations/${type}/inside`)).status).to.equal(404);
    });
  }

  it('an address that leads inside is refused as well where an existing destination is changed', async () => {
    const destinationPath = '/sys/sync/destinations/repo-host/changed';
    expect((await sealift.client.post(destinationPath, repositoryBody)).status).to.equal(200);
    for (const url of URLS) {
      const headers = { 'content-type': 'application/merge-patch+json' };
      const answer = await sealift.client.patch(destinationPath, { enterprise_url: url }, { headers });
      expect(answer.status, url).to.equal(400);
    }
  });

  it('a name that looks public and leads inside is not called', async () => {
    const destinationPath = '/sys/sync/destinations/repo-host/named';
    // The machine's own name resolves to one of its addresses. If it does not resolve, the call fails as well.
    const body = { ...repositoryBody, enterprise_url: `https://${hostname()}:${port}` };
    expect((await sealift.client.post(destinationPath, body)).status).to.equal(200);
    const answer = await sealift.client.post(`${destinationPath}/check`);
    expect(answer.status).to.be.within(200, 503);
    expect(answer.text).to.not.include('"ok":true');
    expect(caught).to.equal(0);
  });

  it('an address is not called when DNS changes its answer between two calls', async () => {
    const answers = [['140.82.121.4'], ['127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254'], ['fd00::1']];
    let lookups = 0;
    const resolve: Resolve = (_, callback) => {
      const found = answers[lookups % answers.length] ?? [];
      lookups += 1;
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    const url = `https://git.example:${port}`;
    const agent = guardedAgent(url, { egressAllow: [] }, { resolve });
    // The first answer is public, but a test cannot reach a public host. So this call uses that answer up.
    resolve('git.example', () => undefined);
    const fetchGuarded = createFetch({ baseUrl: url, agent, timeoutMs: 1000 });
    for (let count = 1; count < answers.length; count += 1) {
      const error: unknown = await fetchGuarded(url).then(
        () => 'the call went through',
        (reason: unknown) => reason,
      );
      expect(error).to.have.property('code', 'EGRESS_REFUSED');
    }
    await agent.destroy();
    expect(caught).to.equal(0);
  });

  it('a redirect inside from an allowed server is not followed', async () => {
    const targets = [`http://127.0.0.1:${port}/`, 'http://169.254.169.254/', `//127.0.0.1:${port}/`];
    let answered = 0;
    const redirector = createServer((_, response) => {
      const location = targets[answered % targets.length] ?? '';
      answered += 1;
      response.writeHead(answered % 2 === 0 ? 302 : 307, { location }).end();
    });
    await new Promise<void>((resolve) => redirector.listen(0, '127.0.0.2', resolve));
    const url = `http://127.0.0.2:${(redirector.address() as AddressInfo).port}`;
    const agent = guardedAgent(url, { egressAllow: ['127.0.0.2'] });
    const fetchGuarded = createFetch({ baseUrl: url, agent, timeoutMs: 1000 });
    for (const target of targets) {
      const answer = await fetchGuarded(url);
      expect(answer.status).to.be.within(300, 399);
      expect(answer.headers.get('location')).to.equal(target);
    }
    const error: unknown = await fetchGuarded(`http://127.0.0.1:${port}/`).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EGRESS_REFUSED');
    await agent.destroy();
    redirector.close();
    redirector.closeAllConnections();
    expect(caught).to.equal(0);
  });

  it('a call to the inside would have been caught', async () => {
    await new Promise<void>((resolve, reject) => {
      request(`http://127.0.0.1:${port}/`, { agent: false }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    expect(caught).to.equal(1);
  });
});
