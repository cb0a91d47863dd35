import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, repository } from './support.ts';

describe('refused destinations', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const refusal = async (body: object, type = 'cloud1-sm'): Promise<string> =>
    expectRefused(await sealift.client.post(destinationPath('x', type), body), 400);

  it('an unknown type is refused, and the known ones are named', async () => {
    const text = await refusal({}, 'cloud9-sm');
    expect(text).to.contain('cloud9-sm').and.to.contain('cloud1-sm').and.to.contain('repo-host');
    expectRefused(await sealift.client.patch(destinationPath('x', 'cloud9-sm'), {}), 400);
  });

  it('a name that is no plain path segment is refused', async () => {
    for (const name of ['a%20b', 'a%2Fb%20', 'ü', 'a'.repeat(129), 'a:b', 'a%09b']) {
      const answer = await sealift.client.post(destinationPath(name), {});
      expect(answer.status, name).to.be.oneOf([400, 404]);
    }
    expectOk(await sealift.client.post(destinationPath('A-z_0.9'), {}));
  });

  it('a missing or malformed setting is refused and named', async () => {
    const { repository_name: _, ...incomplete } = repository;
    expect(await refusal(incomplete, 'repo-host')).to.contain('repository_name is required');
    expect(await refusal({ ...repository, repository_owner: 'a/b' }, 'repo-host')).to.contain(
      'repository_owner',
    );
    expect(await refusal({ ...repository, access_token: '' }, 'repo-host')).to.contain(
      'access_token is required',
    );
    expect(await refusal({ region: { name: 'x' } })).to.contain('region');
    expect(await refusal({ recovery_window_in_days: 'soon' })).to.contain('recovery_window_in_days');
    expect(await refusal({ access_key_id: 'AKIA' })).to.contain('together');
  });

  it('all faults are told in one answer, those of the schema and those of the rules', async () => {
    const vault = {
      key_vault_uri: 'http://example.vault.azure.net',
      client_id: 'a b',
      tenant_id: '!',
      secret_name_template: '{{ .Nothing }}',
      custom_tags: { 'a b': 'c' },
    };
    const faults = async (body: object, type: string): Promise<string[]> => {
      const answer = await sealift.client.post(destinationPath('x', type), body);
      expect(answer.status).to.equal(400);
      return answer.body.errors.map((fault: string) => fault.replace(/:? .*$/s, '')).sort();
    };
    expect(await faults(vault, 'cloud2-kv')).to.deep.equal(Object.keys(vault).sort());
    const half = { access_key_id: 'AKIA', region: 'no region', replica_regions: { 'us east': '' } };
    expect(await faults(half, 'cloud1-sm')).to.deep.equal(['access_key_id', 'region', 'replica_regions']);
    const place = { ...repository, repository_owner: 'a/b', enterprise_url: 'http://git.example' };
    expect(await faults(place, 'repo-host')).to.deep.equal(['enterprise_url', 'repository_owner']);
  });

  it('a rule says nothing of a setting that the schema refuses', async () => {
    const vault = { key_vault_uri: 'https://x.example', client_id: 'a', tenant_id: 'b', cloud: '!' };
    expect(await refusal(vault, 'cloud2-kv'))
      .to.contain('cloud')
      .and.not.to.contain('the host must be');
    expect(await refusal({ access_key_id: 'a b' })).not.to.contain('together');
    const incomplete = { client_id: 'a', tenant_id: 'b' };
    expect(await refusal(incomplete, 'cloud2-kv')).to.equal('key_vault_uri is required');
  });

  it('a map or a list in a text that nests deeper than a body may is refused', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect(await refusal({ custom_tags: deep })).to.contain('nested deeper than 64 levels');
    const list = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(await refusal({ region: 'eu-west-1', tags_to_remove: list })).to.contain('nested deeper');
    const policies = await sealift.client.post('/v1/auth/token/create', { policies: list });
    expect(expectRefused(policies, 400)).to.contain('nested deeper');
  });

  it('an option outside its list is refused', async () => {
    expect(await refusal({ granularity: 'secret-tree' })).to.contain('secret-path, secret-key');
    expect(await refusal({ conflict_policy: 'shrug' })).to.contain('refuse, overwrite, adopt');
    expect(await refusal({ deletion_policy: 'shrug' })).to.contain('delete, retain');
  });

  it('a template that cannot name anything is refused', async () => {
    const template = (secret_name_template: string, rest: object = {}) =>
      refusal({ secret_name_template, ...rest });
    expect(await template('{{ .Nonsense }}')).to.contain('unknown placeholder .Nonsense');
    expect(await template('{{ .SecretPath | trim }}')).to.contain('uppercase, lowercase and replace');
    expect(await template('{{ .SecretPath')).to.contain('secret_name_template: external name template');
    expect(await template('{{ .SecretPath }}', { granularity: 'secret-key' })).to.contain(
      'external name template should contain reference to the secret key',
    );
    expect(await template('{{ .SecretKey }}')).to.contain('secret-path');
    const reserved = { ...repository, secret_name_template: 'GITHUB_{{ .SecretKey }}' };
    expect(await refusal(reserved, 'repo-host')).to.contain('GITHUB_');
  });

  it('tags that the store could not hold as written are refused', async () => {
    expect(await refusal({ custom_tags: { 'aws:x': '1' } })).to.contain('aws:');
    expect(await refusal({ custom_tags: { ok: '<' } })).to.contain('tag value');
    expect(await refusal({ custom_tags: 'no pairs' })).to.contain('custom_tags');
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, '']));
    expect(await refusal({ custom_tags: many })).to.contain('at most 49');
    expect(await refusal({ ...repository, custom_tags: { a: '1' } }, 'repo-host')).to.contain(
      'does not support tags',
    );
  });

  it('a body that is no JSON object or cannot be stored is refused', async () => {
    const raw = async (text: string) =>
      expectRefused(await sealift.client.post(destinationPath('x'), undefined, { raw: text }), 400);
    expect(await raw('{"region":')).to.contain('JSON');
    expect(await raw('"region"')).to.contain('JSON object');
    expect(await raw('{"kms_key_id":"a\\u0000b"}')).to.contain('null characters');
    expect(await raw('{"custom_tags":{"\\ud800":"b"}}')).to.contain('surrogate');
    expectOk(
      await sealift.client.post(destinationPath('backslash'), undefined, {
        raw: '{"kms_key_id":"a\\\\u0000"}',
      }),
    );
  });

  it('POST takes any content type, and PATCH only merge patches', async () => {
    const { client } = sealift;
    await create(client, destinationPath('typed'));
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expectOk(await client.post(destinationPath('typed'), { region: 'us-east-1' }, form));
    expectRefused(await client.patch(destinationPath('typed'), { region: 'us-east-1' }, form), 415);
  });

  it('a refused destination leaves nothing behind', async () => {
    expect((await sealift.client.get(destinationPath('x'))).status).to.equal(404);
    expect((await sealift.client.get(destinationPath('x', 'repo-host'))).status).to.equal(404);
  });
});
