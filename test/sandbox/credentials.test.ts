import { expect } from 'chai';
import { connector as aws } from '../../services/connectors/cloud1-sm/connector.ts';
import { connector as vercel } from '../../services/connectors/hosting-project/connector.ts';
import { connector as github } from '../../services/connectors/repo-host/connector.ts';
import { ConnectorError } from '../../libs/connector/errors.ts';
import type { Connector } from '../../libs/connector/contract.ts';
import type { Fake } from './contract.ts';
import { startCloud1SmFake } from './cloud1-sm/fake.ts';
import { startHostingProjectFake } from './hosting-project/fake.ts';
import { startRepoHostFake } from './repo-host/fake.ts';
import { connector as azure } from '../../services/connectors/cloud2-kv/connector.ts';
import { startCloud2KvFake } from './cloud2-kv/fake.ts';
import { connector as google } from '../../services/connectors/cloud3-sm/connector.ts';
import { startCloud3SmFake, type Cloud3SmFake } from './cloud3-sm/fake.ts';

type Subject = {
  connector: unknown;
  start: () => Promise<Fake>;
  environment: (fake: Fake) => Record<string, string>;
  settings: (fake: Fake) => Record<string, unknown>;
  /** By what is wrong with it, settings that the store must refuse. */
  wrong: Record<string, (fake: Fake) => Record<string, unknown>>;
};

const AZURE = {
  client_id: 'application',
  client_secret: 'a-client-secret',
  tenant_id: '11111111-2222-4333-8444-555555555555',
};

const SUBJECTS: Record<string, Subject> = {
  AWS: {
    connector: aws,
    start: startCloud1SmFake,
    environment: (fake) => ({ AWS_ENDPOINT_URL_SECRETS_MANAGER: fake.url }),
    settings: () => ({ access_key_id: 'AKIATEST', secret_access_key: 'wJalr-secret', region: 'eu-west-1' }),
    wrong: {
      'another secret access key': () => ({ secret_access_key: 'wJalr-secres' }),
      'a key that nobody gave out': () => ({ access_key_id: 'AKIANOBODY' }),
    },
  },
  Azure: {
    connector: azure,
    start: startCloud2KvFake,
    environment: ({ details }) => ({
      SEALIFT_AZURE_AUTHORITY_HOST: details?.['authority'] ?? '',
      NODE_EXTRA_CA_CERTS: details?.['ca'] ?? '',
    }),
    settings: (fake) => ({ key_vault_uri: fake.url, ...AZURE }),
    wrong: {
      'another client secret': () => ({ client_secret: 'a-client-secres' }),
      'an unknown application': () => ({ client_id: 'nobody' }),
      'an unknown tenant': () => ({ tenant_id: 'nobody.example' }),
    },
  },
  Google: {
    connector: google,
    start: startCloud3SmFake,
    environment: (fake) => ({ CLOUD3_SM_API_URL: fake.url }),
    settings: (fake) => ({ credentials: (fake as Cloud3SmFake).createKey() }),
    wrong: {
      'a key of another account': (fake) => {
        const key = JSON.parse((fake as Cloud3SmFake).createKey()) as object;
        return { credentials: JSON.stringify({ ...key, client_email: 'nobody@sealift-test.example' }) };
      },
      'a key that nobody gave out': (fake) => {
        const key = JSON.parse((fake as Cloud3SmFake).createKey()) as object;
        return { credentials: JSON.stringify({ ...key, private_key_id: 'f'.repeat(40) }) };
      },
    },
  },
  Vercel: {
    connector: vercel,
    start: startHostingProjectFake,
    environment: (fake) => ({ HOSTING_PROJECT_API_URL: fake.url }),
    settings: () => ({
      access_token: 'vcp_valid',
      project_id: 'prj_web',
      deployment_environments: ['production'],
    }),
    wrong: { 'a token that nobody gave out': () => ({ access_token: 'vcp_nobody' }) },
  },
  GitHub: {
    connector: github,
    start: startRepoHostFake,
    environment: (fake) => ({ REPO_HOST_API_URL: fake.url }),
    settings: () => ({ access_token: 'ghp_valid', repository_owner: 'acme', repository_name: 'web' }),
    wrong: { 'a token that nobody gave out': () => ({ access_token: 'ghp_nobody' }) },
  },
};

describe('sandbox: the fakes trust only credentials that were given out', function () {
  this.timeout(20_000);
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    describe(name, () => {
      let fake: Fake;
      beforeEach(async () => {
        fake = await subject.start();
      });
      afterEach(() => fake.close());

      // What the vendor's own SDK makes of the answer.
      async function write(change: Record<string, unknown>): Promise<string | null> {
        const environment = subject.environment(fake);
        const { open } = subject.connector as Connector;
        const session = await open(
          { ...subject.settings(fake), ...change },
          {
            installation: '00000000-0000-4000-8000-000000000000',
            callTimeoutMs: 5000,
            egressAllow: ['127.0.0.0/8', 'localhost'],
            environment: (key) => environment[key],
          },
        );
        const entry = { name: 'DB', reference: null, value: 'v', tags: {}, expect: 'absent' as const };
        try {
          await session.put({ ...entry, token: '0'.repeat(32) }, AbortSignal.timeout(5000));
          return null;
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          return error.code;
        } finally {
          await session.close?.();
        }
      }

      it(`${name} takes a value from who has the right ones`, async () => {
        expect(await write({})).to.equal(null);
        expect(fake.entries()).to.have.length(1);
      });

      for (const [what, change] of Object.entries(subject.wrong)) {
        it(`${name} refuses ${what} and keeps nothing`, async () => {
          expect(await write(change(fake))).to.be.a('string');
          expect(fake.entries()).to.deep.equal([]);
        });
      }
    });
  }

  it('GitHub refuses a version of its API that it does not have', async () => {
    const fake = await startRepoHostFake();
    try {
      const ask = (version: string) =>
        fetch(`${fake.url}/repos/acme/web/actions/secrets`, {
          headers: { authorization: 'token ghp_valid', 'x-github-api-version': version },
        });
      expect((await ask('2022-11-28')).status).to.equal(200);
      expect((await ask('2021-01-01')).status).to.equal(400);
    } finally {
      await fake.close();
    }
  });
});
