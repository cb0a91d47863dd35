import { expect } from 'chai';
import { REFUSED_HEADERS, REFUSED_PARAMETERS } from '../../services/api/routing/refuse-unoffered.ts';
import { destinationOptions } from '../../services/api/destination-options.ts';
import { UNSUPPORTED } from '../../services/api/endpoints/destinations/refusals/unsupported.ts';
import { findDestinationType } from '../../services/connectors/catalog.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('options that change security or the place of a value', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/secret/data/app', { data: { a: 1 } });
  });
  after(() => sealift.stop());

  describe('fields of a destination', () => {
    const whole: Record<string, object> = {
      'cloud1-sm': { access_key_id: 'id', secret_access_key: 'key', region: 'eu-west-1' },
      'cloud2-kv': {
        key_vault_uri: 'https://example.vault.azure.net',
        client_id: 'id',
        client_secret: 'secret',
        tenant_id: 'tenant',
      },
      'repo-host': { access_token: 'token', repository_owner: 'owner', repository_name: 'name' },
      'hosting-project': {
        access_token: 'token',
        project_id: 'project',
        deployment_environments: ['preview'],
      },
    };
    // No body here: a service account key is too long, and the API refuses these options before it reads the key.
    const types = [...Object.keys(whole), 'cloud3-sm'];
    const values: Record<string, unknown> = {
      identity_token_ttl: '1h',
      installation_id: 123,
      app_config: { app_name: 'app' },
      replica_regions: { 'eu-west-3': '' },
      replication_locations: ['europe-west1'],
      locational_kms_keys: { 'europe-west1': 'key' },
      selected_repository_names: ['a'],
    };
    const takes = (type: string, field: string): boolean =>
      Object.hasOwn({ ...findDestinationType(type)?.settings.properties, ...destinationOptions }, field);

    for (const field of Object.keys(UNSUPPORTED)) {
      it(`the field ${field} is taken by a type that has it, and else refused by its name`, async () => {
        for (const type of types.filter((candidate) => !takes(candidate, field))) {
          const path = `/v1/sys/sync/destinations/${type}/${field}`;
          const answer = await sealift.client.post(path, {
            ...whole[type],
            [field]: values[field] ?? 'some-value',
          });
          expect(answer.status, `${type}: ${answer.text}`).to.equal(400);
          expect(answer.body.errors.join(), type).to.match(new RegExp(`\\b${field} (cannot be used|is not)`));
          expect((await sealift.client.get(path)).status).to.equal(404);
        }
      });
    }

    it('a change with an unsupported field is refused as well, and changes nothing', async () => {
      const path = '/v1/sys/sync/destinations/cloud1-sm/changed';
      await sealift.client.post(path, whole['cloud1-sm']);
      const answer = await sealift.client.patch(
        path,
        { app_name: 'app', custom_tags: { a: 'b' } },
        { headers: { 'content-type': 'application/merge-patch+json' } },
      );
      expect(answer.status).to.equal(400);
      expect(answer.body.errors.join()).to.contain('app_name is not a field of cloud1-sm');
      expect((await sealift.client.get(path)).body.data.options.custom_tags).to.deep.equal({});
    });

    it('a misspelled field that would change the sign-in is refused with what was meant', async () => {
      const cases: [string, object, string][] = [
        ['cloud1-sm', { identity_token_audiance: 'sts.amazonaws.com' }, 'identity_token_audience'],
        ['cloud1-sm', { role_arm: 'arn:aws:iam::123456789012:role/sealift' }, 'role_arn'],
        ['cloud2-kv', { client_secrt: 'x' }, 'client_secret'],
        ['repo-host', { app_nam: 'deployer' }, 'app_name'],
      ];
      for (const [type, body, meant] of cases) {
        const path = `/v1/sys/sync/destinations/${type}/misspelled`;
        const { status, body: answer } = await sealift.client.post(path, { region: 'eu-west-1', ...body });
        expect([status, String(answer.errors)]).to.deep.equal([
          400,
          `${Object.keys(body)[0]} is not a field of ${type}: did you mean ${meant}?`,
        ]);
        expect((await sealift.client.get(path)).status).to.equal(404);
      }
    });

    it('a field by which only another type signs in is refused with what this type has', async () => {
      const path = '/v1/sys/sync/destinations/cloud2-kv/other';
      const { body } = await sealift.client.post(path, { role_arn: 'arn:aws:iam::123456789012:role/s' });
      expect(body.errors.join())
        .to.match(/^role_arn is not a field of cloud2-kv: .* identity_token_audience/)
        .and.not.include('not supported');
    });

    it('an external ID that would not be sent is refused, and so is a role of another partition', async () => {
      const path = '/v1/sys/sync/destinations/cloud1-sm/idle';
      const role_arn = 'arn:aws-us-gov:iam::123456789012:role/sealift';
      const post = async (body: object) =>
        (await sealift.client.post(path, { ...whole['cloud1-sm'], ...body })).body.errors?.join();
      expect(await post({ external_id: 'sealift-1' })).to.include('external_id needs role_arn');
      const both = { external_id: 'sealift-1', identity_token_audience: 'sts.amazonaws.com' };
      const keyless = { access_key_id: undefined, secret_access_key: undefined };
      expect(
        await post({ role_arn: 'arn:aws:iam::123456789012:role/sealift', ...both, ...keyless }),
      ).to.include('external_id and identity_token_audience exclude each other');
      expect(await post({ role_arn })).to.include('the region eu-west-1 belongs to aws');
      expect(await post({ role_arn, region: 'us-gov-west-1' })).to.equal(undefined);
    });

    it('a refusal names the other half where only one of two fields that go together is sent', async () => {
      const post = async (type: string, body: object) =>
        (await sealift.client.post(`/v1/sys/sync/destinations/${type}/half`, body)).body.errors.join();
      expect(await post('cloud1-sm', { identity_token_audience: 'a' })).to.contain('role_arn is required');
      for (const half of ['identity_token_audience', 'service_account_email']) {
        expect(await post('cloud3-sm', { [half]: 'a' })).to.contain(
          'requires both identity_token_audience and service_account_email',
        );
      }
    });

    it('a field that is empty, zero or off is taken, as clients send what nobody chose', async () => {
      const answer = await sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/plain', {
        ...whole['cloud1-sm'],
        role_arn: '',
        identity_token_ttl: 0,
        disable_strict_networking: false,
        allowed_ports: [],
        replica_regions: {},
      });
      expect(answer.status, answer.text).to.equal(200);
    });
  });

  describe('headers and parameters', () => {
    const values: Record<string, string> = {
      'X-Vault-MFA': 'my_totp:695452',
      'X-Vault-Policy-Override': 'true',
      'X-Vault-Wrap-Format': 'jwt',
      'X-Vault-Recover-Snapshot-Id': '2403d301-94f2-46a1-a39d-02be83e2831a',
      'X-Vault-Recover-Source-Path': 'secret/data/other',
    };

    for (const { name } of REFUSED_HEADERS) {
      it(`the header ${name} is refused, not ignored`, async () => {
        const headers = { [name]: values[name] ?? '' };
        for (const path of ['/v1/secret/data/app', '/v1/sys/mounts', '/api/v2/admin/general-settings']) {
          const answer = await sealift.client.get(path, { headers });
          expect(answer.status, path).to.equal(400);
          expect(answer.text, path).to.contain(`leave ${name} out`);
        }
        await sealift.client.post('/v1/secret/data/never', { data: { a: 1 } }, { headers });
        expect((await sealift.client.get('/v1/secret/data/never')).status).to.equal(404);
      });
    }

    for (const name of REFUSED_PARAMETERS) {
      it(`the parameter ${name} is refused, not ignored`, async () => {
        const answer = await sealift.client.get(`/v1/secret/data/app?${name}=2403d301`);
        expect(answer.status).to.equal(400);
        expect(answer.text).to.contain(`leave ${name} out`);
      });
    }

    it('a header that asks for nothing is taken, as is one that only finds a way into a cluster', async () => {
      const headers = {
        'X-Vault-Request': 'true',
        'X-Vault-Policy-Override': 'false',
        'X-Vault-Wrap-Format': 'token',
        'X-Vault-Index': 'aW5kZXg=',
        'X-Vault-Forward': 'active-node',
        'X-Vault-Inconsistent': 'forward-active-node',
        'X-Vault-No-Request-Forwarding': 'true',
      };
      expect((await sealift.client.get('/v1/secret/data/app', { headers })).status).to.equal(200);
    });
  });
});
