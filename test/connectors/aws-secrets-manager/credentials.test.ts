import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud1SmFake, startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { calm, entry, failureOf, openSession } from './support.ts';

// The settings that the SDK's default chain reads. They are emptied, so that the machine's own settings have no effect.
const AMBIENT = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_REGION: undefined,
  AWS_DEFAULT_REGION: undefined,
  AWS_WEB_IDENTITY_TOKEN_FILE: undefined,
  AWS_ROLE_ARN: undefined,
  AWS_ENDPOINT_URL_STS: undefined,
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: undefined,
  AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined,
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/credentials',
  AWS_CONFIG_FILE: '/nonexistent/config',
  AWS_EC2_METADATA_DISABLED: 'true',
};

function setEnvironment(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

describe('cloud1-sm: credentials, region and permissions', () => {
  const kept = Object.fromEntries(Object.keys(AMBIENT).map((name) => [name, process.env[name]]));
  const bare = { access_key_id: undefined, secret_access_key: undefined };
  let fake: Cloud1SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud1SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => {
    fake.reset();
    setEnvironment(AMBIENT);
  });
  afterEach(() => setEnvironment(kept));
  after(() => fake.close());

  it('a check with sufficient rights passes and leaves nothing behind', async () => {
    await session.check(calm(), 'sealift-check');
    expect(fake.entries()).to.have.length(0);
    expect(fake.callsOf('CreateSecret')).to.have.length(0);
  });

  it('a check names every permission that is missing', async () => {
    fake.addFault({ kind: 'denied', operation: ['PutSecretValue', 'TagResource'] });
    const failure = await failureOf(session.check(calm(), 'sealift-check'));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'permission_missing']);
    expect(failure.message).to.contain('secretsmanager:PutSecretValue, secretsmanager:TagResource ');
    expect(failure.message).to.not.contain('secretsmanager:DeleteSecret');
  });

  it('a revoked key ends check and put alike, and stops the whole destination', async () => {
    fake.revoke('AKIATEST');
    for (const verb of [session.check(calm(), 'sealift-check'), session.put(entry(), calm())]) {
      const failure = await failureOf(verb);
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
        'client',
        'credentials_refused',
        'destination',
      ]);
      expect(failure.message).to.not.contain('AKIATEST');
    }
    expect(fake.callsOf('PutSecretValue')).to.have.length(0);
  });

  it('credentials and region that are not given come from the default chain', async () => {
    setEnvironment({
      AWS_ACCESS_KEY_ID: 'AKIAAMBIENT',
      AWS_SECRET_ACCESS_KEY: 'ambient',
      AWS_REGION: 'eu-north-1',
    });
    const ambient = await openSession(fake, { ...bare, region: undefined });
    await ambient.put(entry(), calm());
    expect(fake.entries()[0]?.['region']).to.equal('eu-north-1');
    fake.revoke('AKIAAMBIENT');
    expect((await failureOf(ambient.check(calm(), 'sealift-check'))).code).to.equal('credentials_refused');
  });

  it('a refused token of the worker itself is told as that, and no fault of a role', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sealift-identity-'));
    const file = join(folder, 'token');
    await writeFile(file, 'no.such.token');
    const never = (): boolean => false;
    const identity = {
      issuer: '',
      subject: 'any',
      isDraft: false,
      token: async () => '',
      isSettling: never,
      isNewerThanKey: never,
    };
    setEnvironment({
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/worker',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_STS: fake.url,
    });
    for (const role of [{}, { role_arn: 'arn:aws:iam::123456789012:role/sealift' }]) {
      const ambient = await openSession(fake, { ...bare, ...role }, { identity });
      const failure = await failureOf(ambient.check(calm(), 'x'));
      expect([failure.code, failure.step]).to.deep.equal(['credentials_refused', 'credentials']);
      expect(failure.message).to.include('AWS_WEB_IDENTITY_TOKEN_FILE').and.not.include('external_id');
    }
    await rm(folder, { recursive: true });
  });

  it('no credentials anywhere is a fault of configuration that says what to set', async () => {
    const failure = await failureOf((await openSession(fake, bare)).check(calm(), 'sealift-check'));
    expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
      'client',
      'credentials_missing',
      'destination',
    ]);
    expect(fake.calls()).to.have.length(0);
  });

  it('no region anywhere is a fault of configuration that says what to set', async () => {
    const failure = await failureOf((await openSession(fake, { region: undefined })).put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'configuration_invalid']);
    expect(failure.message).to.contain('AWS_REGION');
    expect(fake.calls()).to.have.length(0);
  });
});
