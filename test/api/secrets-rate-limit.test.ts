import { expect } from 'chai';
import type { Service } from '../../libs/service/run-service.ts';
import { startApi } from '../../services/api/start.ts';
import { createClient, type Answer, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { nextSecond, withinOneSecond } from '../support/one-second.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const PATH = '/v1/auth/token/lookup-self';

describe('the rate limits of the secrets interface', () => {
  let sealift: Sealift;
  let second: Client;

  before(async () => {
    const environment = {
      SECRETS_RATE_LIMIT_PER_TOKEN: '10',
      SECRETS_RATE_LIMIT_PER_ADDRESS: '25',
      TRUST_PROXY: '1',
    };
    sealift = await startSealift({ environment });
    const api = (await sealift.start('api-2', startApi)) as Service & { port: number };
    second = createClient(`http://127.0.0.1:${api.port}`, sealift.token);
  });
  after(() => sealift.stop());

  beforeEach(nextSecond);

  const makeToken = async (): Promise<string> => {
    const answer = await sealift.client.post(
      '/v1/auth/token/create',
      { policies: ['default'] },
      from('admin'),
    );
    return answer.body.auth.client_token;
  };
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const flood = (client: Client, count: number, options: { token: string; address: string }) =>
    Promise.all(
      Array.from({ length: count }, () =>
        client.get(PATH, { token: options.token, ...from(options.address) }),
      ),
    );
  const countPassed = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length;

  it('a token above its limit gets 429 with Retry-After, however many replicas it asks', async () => {
    const token = await makeToken();
    const options = { token, address: '203.0.113.1' };
    const answers = (
      await withinOneSecond(() =>
        Promise.all([flood(sealift.client, 15, options), flood(second, 15, options)]),
      )
    ).flat();
    expect(countPassed(answers)).to.be.within(9, 11);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.errors).to.deep.equal(['more than 10 requests in one second']);
    expect(refused?.headers).to.include({ 'retry-after': '1', 'x-ratelimit-limit': '10' });
  });

  it('an address above its limit gets 429, however many tokens it shows', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, makeToken));
    const answers = await withinOneSecond(() =>
      Promise.all(tokens.map((token) => flood(sealift.client, 8, { token, address: '203.0.113.2' }))),
    );
    expect(countPassed(answers.flat())).to.be.within(22, 28);
    const refused = answers.flat().find(({ status }) => status === 429);
    expect(refused?.body.errors).to.deep.equal(['more than 25 requests in one second']);
  });

  it('all addresses of a network of IPv6 (/64) share one limit', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, makeToken));
    const answersOf = async (addressOf: (index: number) => string): Promise<Answer[]> => {
      const floods = tokens.map((token, index) =>
        flood(sealift.client, 8, { token, address: addressOf(index) }),
      );
      return (await Promise.all(floods)).flat();
    };
    expect(countPassed(await answersOf((index) => `2001:db8:7:${index}::1`))).to.equal(40);
    await eventually(async () => {
      const answers = await answersOf((index) => `2001:0DB8:8:9:${index}::${index}`);
      return answers.some(({ body }) => body.errors?.[0] === 'more than 25 requests in one second');
    });
  });

  it('an answer tells the limit that its client is nearest to', async () => {
    const answer = await sealift.client.get(PATH, from('203.0.113.3'));
    expect(answer.headers).to.include({ 'x-ratelimit-limit': '10' });
  });

  it('a call without a token counts for its address', async () => {
    const answer = await sealift.client.get('/v1/sys/seal-status', { token: null, ...from('203.0.113.4') });
    expect(answer.headers).to.include({ 'x-ratelimit-limit': '25' });
  });

  it('site administration does not count these calls, and has no limit while its own is off', async () => {
    const token = await makeToken();
    await flood(sealift.client, 15, { token, address: '203.0.113.5' });
    const answer = await sealift.client.get('/api/v2/ping', { token, ...from('203.0.113.5') });
    expect(answer.status).to.equal(204);
    expect(answer.headers).not.to.have.property('x-ratelimit-limit');
  });

  it('health has no limit', async () => {
    await flood(sealift.client, 30, { token: sealift.token, address: '203.0.113.6' });
    const answer = await sealift.client.get('/v1/sys/health', { token: null, ...from('203.0.113.6') });
    expect(answer.status).to.equal(200);
  });
});
