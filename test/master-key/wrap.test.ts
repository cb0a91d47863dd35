import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createCanaries } from '../attack/canaries.ts';
import { runCommand, type Ended } from '../cli/support.ts';
import { keyServiceFakes } from '../sandbox/key-services/all.ts';
import { AWS_ALIAS, startAwsKmsFake } from '../sandbox/key-services/aws-kms.ts';
import type { KeyServiceFake, KeyState } from '../sandbox/key-services/contract.ts';

/** An outside fault, its exit code, and the expected message. */
type Trouble = [what: string, cause: (fake: KeyServiceFake) => void, code: number, text: RegExp];

const fail =
  (kind: string) =>
  (fake: KeyServiceFake): void =>
    fake.addFault({ kind, operation: fake.operations });

const troubles: Trouble[] = [
  ['may not be used', (fake) => fake.setAllowed(false), 78, /does not allow this.*allow the identity/],
  ['refuses the credentials', fail('revoked'), 78, /refuses the credentials|does not allow this/],
  ['is throttled', fail('throttle'), 5, /cannot do this now/],
  ['has a fault of its own', fail('error'), 5, /cannot do this now/],
  ['cuts the connection', fail('cut'), 5, /cannot be reached/],
  ['never answers', fail('hang'), 5, /cannot be reached \(no answer in time\)/],
  ['answers with a page of something else', fail('garbage'), 78, /its answer cannot be understood/],
  ['answers with a redirect', fail('redirect'), 78, /its answer cannot be understood|it cannot be reached/],
];

for (const [service, { start, states }] of Object.entries(keyServiceFakes)) {
  describe(`\`sealift master-key wrap\` with ${service}`, function () {
    const masterKey = randomBytes(32).toString('base64');
    let fake: KeyServiceFake;
    let wrapped: string;
    before(async () => {
      fake = await start();
      wrapped = (await wrap(masterKey)).stdout;
    });
    afterEach(() => fake.reset());
    after(() => fake.close());

    const wrap = (input?: string, environment: Record<string, string> = {}): Promise<Ended> =>
      runCommand(
        ['master-key', 'wrap', '--with', fake.address, ...(input === undefined ? [] : ['--stdin'])],
        { ...fake.environment, ...environment },
        input,
      );

    function expectNoSecret(ended: Ended, key: string): void {
      const canaries = createCanaries();
      canaries.add('master key', key);
      for (const credential of fake.credentials) canaries.add('credential', credential);
      expect(canaries.findIn(ended.stdout + ended.stderr)).to.deep.equal([]);
      expect(ended.stderr).to.not.contain('Vendor detail');
    }

    it(`a new key of 32 bytes is printed as ${service} wraps it, and in no other form`, async () => {
      const [first, second] = [await wrap(), await wrap()];
      expect([first.code, first.stderr]).to.deep.equal([0, '']);
      expect(first.stdout).to.match(/^\S+#[\w:+/=-]+\n$/);
      expect(first.stdout.startsWith(fake.address)).to.equal(true);
      const keys = fake.unwrapped().slice(-2);
      expect(keys.map((key) => Buffer.from(key, 'base64').length)).to.deep.equal([32, 32]);
      expect(keys[0]).to.not.equal(keys[1]);
      for (const [index, ended] of [first, second].entries()) expectNoSecret(ended, keys[index] ?? '');
    });

    it(`a key on standard input is wrapped by ${service}, also one that is wrapped already`, async () => {
      const key = randomBytes(32).toString('base64');
      const { stdout: first } = await wrap(`${key}\n`);
      fake.rotate();
      const { stdout: again, stderr } = await wrap(first);
      expect(stderr).to.equal('');
      expect(again).to.not.equal(first);
      expect(fake.unwrapped().slice(-3)).to.deep.equal([key, key, key]);
    });

    it(`a key that ${service} wrapped for another purpose is not taken for a master key`, async () => {
      const key = randomBytes(32);
      const ended = await wrap(fake.wrapForOthers(key));
      expect(ended.code).to.equal(78);
      expect(ended.stderr).to.contain(
        'this key did not wrap the value, or it wrapped it for another purpose',
      );
      expectNoSecret(ended, key.toString('base64'));
    });

    it(`the command says so where it finds no credentials for ${service}`, async () => {
      const ended = await wrap(undefined, fake.withoutCredentials);
      expect([ended.code, ended.stdout], ended.stderr).to.deep.equal([5, '']);
      expect(ended.stderr).to.contain('there are no credentials for it').and.contain('docs/master-key.md');
    });

    const ofStates = Object.entries(states).map(([state, text]): Trouble => [
      `is ${state}`,
      (kept) => kept.setState(state as KeyState),
      78,
      text,
    ]);
    for (const [what, cause, code, text] of [...ofStates, ...troubles]) {
      it(`the command says so where the key or ${service} ${what}`, async () => {
        cause(fake);
        const ended = await wrap(wrapped, { SEALIFT_MASTER_KEY_TIMEOUT: '5000' });
        expect([ended.code, ended.stdout], ended.stderr).to.deep.equal([code, '']);
        expect(ended.stderr).to.match(text).and.contain(fake.address);
        expectNoSecret(ended, masterKey);
      });
    }
  });
}

describe('`sealift master-key wrap`', () => {
  const address = 'aws-kms://arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

  it('an alias of AWS is written down as the key that it stands for', async () => {
    const fake = await startAwsKmsFake();
    const words = ['master-key', 'wrap', '--with', `aws-kms://${AWS_ALIAS}`];
    const { stdout, stderr } = await runCommand(words, fake.environment);
    await fake.close();
    expect(stderr).to.equal('');
    expect(stdout.startsWith(`${fake.address}#`), stdout).to.equal(true);
  });

  it('addresses that are none are refused, with one that would do', async () => {
    for (const wrong of [
      'aws-kms://alias/mine',
      'aws-kms://arn:aws:kms:eu-west-1:1:key/x',
      'gpg://me',
      'x',
    ]) {
      const ended = await runCommand(['master-key', 'wrap', '--with', wrong], {});
      expect([wrong, ended.code, ended.stdout]).to.deep.equal([wrong, 2, '']);
      expect(ended.stderr).to.match(/aws-kms:\/\//);
    }
  });

  it('a text that is no master key is refused, and none of it is repeated', async () => {
    for (const wrong of [
      '',
      'hunter2',
      `${address}#`,
      `${address}#hunter2`,
      'hunter2://x#y',
      `${address}#${'a'.repeat(16)}#hunter2`,
    ]) {
      const ended = await runCommand(['master-key', 'wrap', '--with', address, '--stdin'], {}, wrong);
      expect([ended.code, ended.stdout], wrong).to.deep.equal([78, '']);
      expect(ended.stderr).to.contain('standard input').and.not.contain('hunter2');
    }
  });
});
