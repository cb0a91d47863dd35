import { expect } from 'chai';
import { standInLines } from '../../deploy/local/stand-ins.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import type { Destination } from '../../libs/connector/contract.ts';
import { catalog, connectorOf } from '../../services/connectors/catalog.ts';
import { startSealift, type Sealift, type Starter } from '../support/sealift.ts';
import type { Fake } from './contract.ts';
import { fakes } from './fakes.ts';
import { settingsFor } from './what-to-type.ts';

describe('what the demo says about its stand-ins', () => {
  const running: Record<string, Fake> = {};
  let sealift: Sealift;

  before(async () => {
    for (const [type, start] of Object.entries(fakes)) running[type] = await start();
    const { authority = '', ca = '' } = running['cloud2-kv']?.details ?? {};
    const environment: Record<string, string | undefined> = {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: running['cloud1-sm']?.url,
      SEALIFT_AZURE_AUTHORITY_HOST: authority,
      NODE_EXTRA_CA_CERTS: ca,
      CLOUD3_SM_API_URL: running['cloud3-sm']?.url,
      HOSTING_PROJECT_API_URL: running['hosting-project']?.url,
      REPO_HOST_API_URL: running['repo-host']?.url,
    };
    const worker =
      (destination: Destination): Starter =>
      (context) =>
        startConnectorWorker(
          context,
          { destination, connector: connectorOf(destination) },
          { environment: (name) => environment[name] },
        );
    const workers = Object.fromEntries(catalog.map((one) => [one.type, worker(one)]));
    sealift = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.0/8,localhost' }, workers });
  });

  after(async () => {
    await sealift?.stop();
    for (const fake of Object.values(running)) await fake.close();
  });

  it('the settings that it prints connect each type of store', async () => {
    expect(Object.keys(running)).to.have.members(catalog.map(({ type }) => type));
    for (const { type } of catalog) {
      const fake = running[type];
      if (!fake) throw new Error(`no stand-in for ${type}`);
      const path = `/v1/sys/sync/destinations/${type}/typed`;
      const made = await sealift.client.post(path, settingsFor(type, fake));
      expect(made.status, `${type}: ${made.text}`).to.equal(200);
      const checked = await sealift.client.post(`${path}/check`);
      expect(checked.status, `${type}: ${checked.text}`).to.equal(200);
      expect(checked.body.data, `${type}: ${checked.text}`).to.include({ ok: true });
    }
  });

  it('each store has its line, with every setting or the file that holds it', () => {
    const settings = Object.fromEntries(
      Object.entries(running).map(([type, fake]) => [type, settingsFor(type, fake)]),
    );
    const lines = standInLines(settings, 'google-key.json');
    expect(lines).to.have.length(catalog.length);
    for (const { type, title } of catalog) {
      const line = lines.find((one) => one.includes(title)) ?? '';
      for (const [name, value] of Object.entries(settings[type] ?? {})) {
        expect(line).to.contain(name);
        expect(line).to.contain(name === 'credentials' ? 'google-key.json' : String(value));
      }
    }
  });
});
