import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, openSession } from './support.ts';

describe('cloud3-sm: credentials', () => {
  let fake: Cloud3SmFake;
  let root: string;
  let directory: string;

  before(async () => {
    fake = await startCloud3SmFake();
    root = await mkdtemp(join(tmpdir(), 'sealift-credentials-'));
    directory = join(root, 'allowed');
    await mkdir(join(directory, 'team'), { recursive: true });
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await fake.close();
    await rm(root, { recursive: true });
  });

  const open = (path: string, settings = {}) =>
    openSession(
      fake,
      { credentials: `@${path}`, ...settings },
      { variables: { CREDENTIALS_DIR: root }, namespace: 'allowed' },
    );
  const write = (path: string, text: string) => writeFile(join(root, path), text);

  it('a revoked key ends check and put alike, and stops the whole destination', async () => {
    const credentials = fake.createKey();
    const session = await openSession(fake, { credentials });
    await session.put(entry(), calm());
    fake.revoke(credentials);
    for (const verb of [
      session.check(calm(), 'sealift-check'),
      session.put(entry({ expect: 'present' }), calm()),
    ]) {
      const failure = await failureOf(verb);
      expect([failure.kind, failure.code, failure.scope]).to.deep.equal([
        'client',
        'credentials_refused',
        'destination',
      ]);
    }
    await session.close?.();
  });

  it('a key that Google never handed out is refused by the signature', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = {
      ...JSON.parse(fake.createKey()),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    const session = await openSession(fake, { credentials: JSON.stringify(forged) });
    expect((await failureOf(session.put(entry(), calm()))).code).to.equal('credentials_refused');
    expect(fake.entries()).to.have.length(0);
    await session.close?.();
  });

  it('a token address in the key is never called', async () => {
    const key = { ...JSON.parse(fake.createKey()), token_uri: 'https://oauth2.googleapis.com/token' };
    const session = await openSession(fake, { credentials: JSON.stringify(key) });
    await session.check(calm(), 'sealift-check');
    expect(fake.callsOf('unknown')).to.have.length(0);
    await session.close?.();
  });

  it('settings that passed no check are refused when the session is opened, without quoting them', async () => {
    const evil = JSON.stringify({ ...JSON.parse(fake.createKey()), token_uri: 'https://evil.example/token' });
    const failure = await failureOf(openSession(fake, { credentials: evil }));
    expect([failure.kind, failure.code]).to.deep.equal(['client', 'credentials_refused']);
    expect(failure.message).to.contain('token_uri').and.not.contain('evil');
  });

  it('a file below CREDENTIALS_DIR is read, also by a link that stays inside', async () => {
    await write('allowed/team/key.json', fake.createKey());
    await symlink('team/key.json', join(directory, 'linked.json'));
    for (const path of [
      'team/key.json',
      './team/key.json',
      'linked.json',
      join(directory, 'team/key.json'),
    ]) {
      const session = await open(path);
      await session.check(calm(), 'sealift-check');
      await session.close?.();
    }
  });

  it('a path out of the folder is refused by dots, absolute or by a link', async () => {
    await write('outside.json', fake.createKey());
    await mkdir(join(root, 'allowed-too'), { recursive: true });
    await write('allowed-too/key.json', fake.createKey());
    await symlink('../outside.json', join(directory, 'way-out.json'));
    await symlink('..', join(directory, 'up'));
    await symlink(root, join(directory, 'absolute-up'));
    const messages = new Set<string>();
    for (const path of [
      'way-out.json',
      'up/outside.json',
      'absolute-up/outside.json',
      'up/none.json',
      'none.json',
      'team',
      '.',
    ]) {
      const failure = await failureOf(open(path));
      expect([failure.kind, failure.code, failure.scope], path).to.deep.equal([
        'client',
        'credentials_missing',
        'destination',
      ]);
      if (path !== '.') messages.add(failure.message);
    }
    expect(messages.size).to.equal(1);
    for (const path of [
      '../outside.json',
      'team/../../outside.json',
      join(root, 'outside.json'),
      '../allowed-too/key.json',
      join(root, 'allowed-too/key.json'),
      '/etc/passwd',
      '',
    ]) {
      const failure = await failureOf(open(path));
      expect(failure.code, path).to.equal('credentials_missing');
      expect(failure.message).to.not.contain(root);
    }
  });

  it('a file of more than 64 KiB, or of something else than a key, is refused without quoting it', async () => {
    await write('allowed/large.json', `${fake.createKey()}${' '.repeat(64 * 1024)}`);
    await write('allowed/words.json', 'the-hidden-words');
    expect((await failureOf(open('large.json'))).code).to.equal('credentials_missing');
    const failure = await failureOf(open('words.json'));
    expect(failure.code).to.equal('credentials_refused');
    expect(failure.message).to.not.contain('hidden');
  });

  it('no file is read without CREDENTIALS_DIR', async () => {
    const failure = await failureOf(
      openSession(fake, { credentials: `@${join(directory, 'team/key.json')}` }),
    );
    expect(failure.message).to.contain('CREDENTIALS_DIR');
  });

  it('a key file that was replaced after a revocation is taken up', async () => {
    const old = fake.createKey();
    await write('allowed/rotating.json', old);
    const session = await open('rotating.json');
    fake.revoke(old);
    expect((await failureOf(session.put(entry(), calm()))).code).to.equal('credentials_refused');
    expect((await failureOf(session.put(entry(), calm()))).code).to.equal('credentials_refused');
    await write('allowed/rotating.json', fake.createKey());
    await Promise.all(['a', 'b', 'c'].map((name) => session.put(entry({ name }), calm())));
    expect(fake.entries()).to.have.length(3);
    await session.close?.();
  });

  it('a key file that is replaced by one of another project is refused', async () => {
    const old = fake.createKey();
    await write('allowed/moving.json', old);
    const session = await open('moving.json');
    fake.revoke(old);
    await failureOf(session.put(entry(), calm()));
    await write('allowed/moving.json', fake.createKey('quite-another'));
    expect((await failureOf(session.put(entry(), calm()))).code).to.equal('configuration_invalid');
    expect(fake.entries()).to.have.length(0);
    await session.close?.();
  });

  it('a key file of another project reaches nothing of that project', async () => {
    await write('allowed/moved.json', fake.createKey());
    const before = await open('moved.json');
    const { reference } = await before.put(entry({ name: 'app' }), calm());
    await before.close?.();
    await write('allowed/moved.json', fake.createKey('quite-another'));
    fake.clearCalls();
    const after = await open('moved.json');
    const owned = { ...entry({ name: 'app', expect: 'present', value: 'new' }), reference };
    for (const verb of [
      after.put(owned, calm()),
      after.remove(owned, calm()),
      after.read(owned, calm()),
      after.retag?.({ ...owned, removed: [] }, calm()),
    ])
      expect((await failureOf(verb ?? Promise.resolve())).code).to.equal('configuration_invalid');
    expect(fake.calls()).to.deep.equal([]);
    await after.close?.();
  });
});
