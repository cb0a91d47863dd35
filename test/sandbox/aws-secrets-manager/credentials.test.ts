import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect } from 'chai';
import { type Cloud1SmFake, startCloud1SmFake } from './fake.ts';
import { signCall } from './sign-call.ts';

describe('credentials at the fake of AWS', () => {
  let fake: Cloud1SmFake;

  before(async () => {
    fake = await startCloud1SmFake();
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  const creation = { Name: 'entry', SecretString: 'mine', ClientRequestToken: 'a'.repeat(32) };
  const create = () => signCall(fake.url, 'CreateSecret', creation);

  async function refusalBySdk(accessKeyId: string, secretAccessKey: string): Promise<string> {
    const credentials = { accessKeyId, secretAccessKey };
    const client = new SecretsManagerClient({ region: 'eu-west-1', endpoint: fake.url, credentials });
    try {
      await client.send(new ListSecretsCommand({}));
      return 'taken';
    } catch (error) {
      return (error as Error).name;
    } finally {
      client.destroy();
    }
  }

  async function refusalOf(init: RequestInit): Promise<string> {
    const answer = await fetch(fake.url, init);
    const { __type: code } = (await answer.json()) as { __type?: string };
    return code ?? 'taken';
  }

  it("the SDK is let in with a key's own secret only", async () => {
    expect(await refusalBySdk('AKIATEST', 'wJalr-secret')).to.equal('taken');
    expect(await refusalBySdk('AKIATEST', 'wJalr-secreT')).to.equal('InvalidSignatureException');
    expect(await refusalBySdk('AKIAEXAMPLEONE', 'wJalr-secret')).to.equal('InvalidSignatureException');
    expect(await refusalBySdk('AKIANEVERGIVEN', 'wJalr-secret')).to.equal('UnrecognizedClientException');
    fake.giveOut('AKIANEW', 'a-new-secret');
    expect(await refusalBySdk('AKIANEW', 'a-new-secret')).to.equal('taken');
    fake.acceptAfter('AKIATEST', 60_000);
    expect(await refusalBySdk('AKIATEST', 'wJalr-secret')).to.equal('UnrecognizedClientException');
  });

  it('a call that was changed on its way is refused', async () => {
    const signed = await create();
    const { headers } = signed;
    const changed = { ...signed, body: signed.body.replace('mine', 'evil') };
    expect(await refusalOf(changed)).to.equal('InvalidSignatureException');
    for (const header of [
      { 'x-amz-target': 'secretsmanager.DeleteSecret' },
      { 'x-amz-date': String(headers['x-amz-date']).replace(/.Z$/, (last) => (last === '0Z' ? '1Z' : '0Z')) },
      { 'x-amz-added': 'by somebody' },
    ])
      expect(await refusalOf({ ...signed, headers: { ...headers, ...header } })).to.equal(
        'InvalidSignatureException',
      );
    const elsewhere = await fetch(`${fake.url}/other`, signed);
    expect(await elsewhere.json()).to.have.property('__type', 'InvalidSignatureException');
    expect(fake.entries()).to.deep.equal([]);
    expect(await refusalOf(signed)).to.equal('taken');
  });

  it('a call signed for another region, in part, not at all or with a session token is refused', async () => {
    const signed = await create();
    const { authorization = '', ...unsigned } = signed.headers;
    const refusal = (header: string) =>
      refusalOf({ ...signed, headers: { ...unsigned, authorization: header } });
    expect(await refusalOf({ ...signed, headers: unsigned })).to.equal('MissingAuthenticationTokenException');
    expect(await refusal(authorization.replace('eu-west-1', 'us-east-1'))).to.equal(
      'InvalidSignatureException',
    );
    expect(await refusal(authorization.replace(/Signature=.*/, 'Signature=0'))).to.equal(
      'InvalidSignatureException',
    );
    expect(await refusal(authorization.replace(/, Signature=.*/, ''))).to.equal(
      'IncompleteSignatureException',
    );
    expect(await refusal('Bearer token')).to.equal('IncompleteSignatureException');
    const withToken = { ...signed.headers, 'x-amz-security-token': 'never-given' };
    expect(await refusalOf({ ...signed, headers: withToken })).to.equal('UnrecognizedClientException');
    expect(fake.entries()).to.deep.equal([]);
  });
});
