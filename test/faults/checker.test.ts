import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/cloud1-sm/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { findWrittenWhileDisabled, type Store } from './checker.ts';
import { createRecorder, type Recorder } from './recorder.ts';

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/eu-west-1/secretsmanager/aws4_request, SignedHeaders=host, Signature=0';

describe('what a fault run would find', () => {
  let fake: Fake;
  let recorder: Recorder;
  let stores: Map<string, Store>;

  beforeEach(async () => {
    recorder = createRecorder();
    fake = await startCloud1SmFake({ answered: recorder.observe });
    recorder.watch(fake);
    stores = new Map([['cloud1-sm', { type: 'cloud1-sm', fake, recorder, planted: new Map() }]]);
  });
  afterEach(() => fake.close());

  const call = (operation: string, body: object): Promise<Response> =>
    fetch(fake.url, {
      method: 'POST',
      headers: { 'x-amz-target': `secretsmanager.${operation}`, authorization: AUTHORIZATION },
      body: JSON.stringify(body),
    });

  it('each change of value, tags or existence that a store takes while syncing is disabled is found', async () => {
    const from = Date.now() - 1000;
    const id = 'alpha-r0-s1';
    await call('CreateSecret', { Name: id, SecretString: 'v', ClientRequestToken: 'a'.repeat(32) });
    await call('TagResource', { SecretId: id, Tags: [{ Key: 'round', Value: '1' }] });
    await call('GetSecretValue', { SecretId: id });
    await call('DeleteSecret', { SecretId: id, ForceDeleteWithoutRecovery: true });
    const found = findWrittenWhileDisabled(stores, [{ from, to: Date.now() + 1000 }], 500);
    expect(found.map((line) => line.replace(/\d+ ms/, 'N ms'))).to.deep.equal(
      ['CreateSecret', 'TagResource', 'DeleteSecret'].map(
        (operation) => `s1: ${operation} of ${id} was taken N ms after syncing was disabled`,
      ),
    );
  });

  it('a write that was under way when syncing was disabled, or came when it was enabled again, is none', async () => {
    await call('CreateSecret', { Name: 'x', SecretString: 'v', ClientRequestToken: 'a'.repeat(32) });
    const now = Date.now();
    const pauses = [
      { from: now - 1000, to: now + 1000 },
      { from: now - 60_000, to: now - 5000 },
    ];
    expect(findWrittenWhileDisabled(stores, pauses, 2000)).to.deep.equal([]);
  });
});
