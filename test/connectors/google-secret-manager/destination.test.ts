import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { createValidator } from '../../../libs/validation/validator.ts';
import {
  destination,
  type Cloud3SmSettings,
} from '../../../services/connectors/google-secret-manager/destination.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

const pem = (type: 'rsa' | 'ec'): string =>
  (type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  ).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

const key = {
  type: 'service_account',
  project_id: 'my-project',
  private_key_id: '0123456789abcdef',
  private_key: pem('rsa'),
  client_email: 'sealift@my-project.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
  universe_domain: 'googleapis.com',
};

describe('cloud3-sm: the destination as data', () => {
  const check = createValidator(destination.settings, { weak: true });
  const faultsOf = (
    credentials: string,
    operator: { dir?: string; allow?: string[]; namespace?: string } = {},
  ) =>
    faultsOfSettings(
      destination,
      { credentials },
      {
        environment: (name) => (name === 'CREDENTIALS_DIR' ? operator.dir : undefined),
        egressAllow: operator.allow ?? [],
        namespace: operator.namespace ?? '',
      },
    ) ?? [];
  const changed = (change: object) => JSON.stringify({ ...key, ...change });

  it('a destination takes credentials alone, and all settings as a command line sends them', () => {
    expect(check({ credentials: 'x' })).to.not.have.property('faults');
    const sent = {
      credentials: 'x',
      project_id: 'my-project',
      replication_locations: 'europe-west1,us-central1',
      destroy_old_versions: 'true',
    };
    expect(check(sent)).to.deep.include({
      value: { ...sent, replication_locations: ['europe-west1', 'us-central1'], destroy_old_versions: true },
    });
  });

  it('projects and locations that could change the path are refused', () => {
    for (const project_id of [
      '',
      '.',
      '..',
      'a/b',
      'my-project/secrets/x',
      'My-Project',
      '123456',
      'x'.repeat(31),
    ])
      expect(check({ credentials: 'x', project_id }), project_id).to.have.property('faults');
    for (const location of ['', 'europe', 'a/b', 'EU-WEST1', '-x'])
      expect(check({ credentials: 'x', replication_locations: [location] }), location).to.have.property(
        'faults',
      );
    expect(check({ credentials: 'x', project_id: 'example.com:my-project' })).to.not.have.property('faults');
  });

  it('the credentials are sensitive, as are the audience and the key of identity tokens', () => {
    const sensitive = Object.entries(destination.settings.properties)
      .filter(([, schema]) => 'sensitive' in schema && schema.sensitive === true)
      .map(([name]) => name);
    expect(sensitive).to.deep.equal(['credentials', 'identity_token_audience', 'identity_token_key']);
  });

  it('the key of a service account is taken as the vendor hands it out', () => {
    expect(faultsOf(JSON.stringify(key))).to.deep.equal([]);
    expect(faultsOf(changed({ token_uri: undefined, universe_domain: undefined }))).to.deep.equal([]);
    expect(faultsOf(changed({ token_uri: 'https://accounts.google.com/o/oauth2/token' }))).to.deep.equal([]);
  });

  it('other kinds of credentials are refused, whatever addresses or commands they hold', () => {
    for (const type of ['external_account', 'authorized_user', 'impersonated_service_account', '', undefined])
      expect(faultsOf(changed({ type }))).to.have.length(1);
  });

  it('a refusal names what is wrong with a key and quotes none of it', () => {
    const faulty = {
      project_id: '../../other-secret',
      client_email: 'nobody-secret',
      private_key: pem('ec'),
      private_key_id: 'a/b-secret',
      token_uri: 'https://secret.example/token',
      universe_domain: 'secret.example',
    };
    const faults = faultsOf(changed(faulty));
    expect(faults).to.have.length(6);
    for (const field of Object.keys(faulty))
      expect(
        faults.some((fault) => fault.includes(field)),
        field,
      ).to.equal(true);
    for (const text of [
      'no json secret',
      '[]',
      '"secret"',
      'null',
      changed({ private_key: 'secret' }),
      changed(faulty),
    ])
      // The text of a frame is no part of the key.
      expect(faultsOf(text).join().replaceAll('PRIVATE KEY-----', '')).to.not.match(/secret\b|PRIVATE/);
    expect(faultsOf('no json')).to.have.length(1);
  });

  it("addresses in a key must be Google's or the operator's", () => {
    for (const token_uri of [
      'http://oauth2.googleapis.com/token',
      'https://oauth2.googleapis.com/token?x',
      'https://oauth2.googleapis.com.evil.example/token',
      'https://evil.example/oauth2.googleapis.com/token',
      'https://169.254.169.254/token',
      'nonsense',
      7,
    ])
      expect(faultsOf(changed({ token_uri })), String(token_uri)).to.have.length(1);
    for (const universe_domain of [
      'evil.example',
      'googleapis.com.evil.example',
      'a/b',
      '',
      'x@googleapis.com',
      7,
    ])
      expect(faultsOf(changed({ universe_domain })), String(universe_domain)).to.have.length(1);
    const own = { token_uri: 'https://sts.cloud.internal/token', universe_domain: 'cloud.internal' };
    expect(faultsOf(changed(own))).to.have.length(2);
    expect(faultsOf(changed(own), { allow: ['cloud.internal'] })).to.deep.equal([]);
  });

  it('a credentials path is refused without CREDENTIALS_DIR, or where it leads out of it', () => {
    expect(faultsOf('@key.json')[0]).to.contain('CREDENTIALS_DIR');
    const dir = '/srv/keys';
    for (const path of ['key.json', './key.json', '..key.json', '/srv/keys/key.json'])
      expect(faultsOf(`@${path}`, { dir }), path).to.deep.equal([]);
    for (const path of ['key.json', 'more/key.json', '/srv/keys/team/key.json'])
      expect(faultsOf(`@${path}`, { dir, namespace: 'team' }), path).to.deep.equal([]);
    expect(faultsOf('@/srv/keys/other/key.json', { dir, namespace: 'team' })).to.have.length(1);
    for (const path of [
      '',
      '.',
      '../key.json',
      'team/../key.json',
      'team/key.json',
      '/etc/passwd',
      '/srv/keys2/key.json',
      '..',
      'a\0b',
    ])
      expect(faultsOf(`@${path}`, { dir }), path).to.have.length(1);
  });

  it('the container is named by the project, wherever that stands, and never by a secret', () => {
    const container = (given: Partial<Cloud3SmSettings>) =>
      destination.container({ credentials: JSON.stringify(key), ...given }, {});
    expect(container({})).to.equal('cloud3-sm:my-project');
    expect(container({ credentials: '@x.json', project_id: 'my-project' })).to.equal('cloud3-sm:my-project');
    expect(container({ project_id: 'other-one' })).to.equal('cloud3-sm:other-one');
    expect(container({ credentials: '@a/x.json' })).to.equal(container({ credentials: '@./a//x.json' }));
    expect(container({ credentials: '@a/x.json' })).to.not.equal(container({ credentials: '@a/y.json' }));
    expect(container({ credentials: '@a/x.json' })).to.not.contain('x.json');
  });

  it('labels that the store would not hold as written, and our own mark, are refused', () => {
    const { key: label, value } = destination.tags ?? expect.fail('has labels');
    for (const good of ['team', 'a', 'cost-center_2', 'sealift-installation-2', 'x'.repeat(63)])
      expect(label.expression.test(good), good).to.equal(true);
    for (const bad of ['', 'Team', '1a', '-a', 'a b', 'a.b', 'sealift-installation', 'x'.repeat(64)])
      expect(label.expression.test(bad), bad).to.equal(false);
    expect(['', 'a-b_1', 'x'.repeat(63)].every((text) => value.expression.test(text))).to.equal(true);
    expect(['A', 'a b', 'x'.repeat(64)].some((text) => value.expression.test(text))).to.equal(false);
  });
});
