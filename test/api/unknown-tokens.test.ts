import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('unknown tokens', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    const attributes = { 'api-rate-limiting-enabled': true, 'api-rate-limit': 30 };
    await sealift.context
      .db('settings')
      .where({ kind: 'general' })
      .update({ attributes: JSON.stringify(attributes) });
  });
  after(() => sealift.stop());

  const ask = (token: string): Promise<Response> =>
    fetch(`${sealift.url}/v1/secret/data/x`, { headers: { authorization: `Bearer ${token}` } });

  it('unknown tokens are looked up as often as an address may call, and no oftener', async () => {
    const ping = (): Promise<Response> => fetch(`${sealift.url}/api/v2/ping`);
    await eventually(async () => (await ping()).headers.has('x-ratelimit-limit'));
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }): void => void (/FROM tokens/i.test(sql) && statements.push(sql));
    sealift.context.db.on('query', note);
    const answers: Response[] = [];
    for (let number = 0; number < 200; number += 1) answers.push(await ask(`guess-${number}`));
    sealift.context.db.removeListener('query', note);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).to.be.greaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).to.equal('1');
    expect(statements.length).to.be.at.most(answers.length - refused.length + 30);
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => ask('guess-0'))))
      expect(answer.status).to.be.oneOf([403, 429]);
  });

  it('unknown tokens do not keep known ones from calling', async () => {
    for (let number = 0; number < 60; number += 1) await ask(`more-${number}`);
    const own = await fetch(`${sealift.url}/v1/auth/token/lookup-self`, {
      headers: { authorization: `Bearer ${sealift.token}` },
    });
    expect(own.status).to.be.oneOf([200, 429]);
    await eventually(async () => (await sealift.client.get('/v1/auth/token/lookup-self')).status === 200);
  });
});
