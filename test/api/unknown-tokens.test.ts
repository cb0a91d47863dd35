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

  it('valid tokens that come at once for the first time are all let in', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, () =>
        sealift.client.post('/v1/auth/token/create', { policies: ['default'] }),
      ),
    );
    const tokens = made.map(({ body }) => String(body.auth.client_token));
    const answers = await Promise.all(
      tokens.map((token) => sealift.client.get('/v1/auth/token/lookup-self', { token })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(tokens.map(() => 200));
  });

  it('new tokens are let in during a flood of invented ones from their address', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        sealift.client.post('/v1/auth/token/create', { policies: ['default'] }),
      ),
    );
    const flood = () => Promise.all(Array.from({ length: 100 }, (_, number) => ask(`invented-${number}`)));
    const isRefused = async () => (await flood()).some(({ status }) => status === 429);
    await eventually(isRefused);
    const more = flood();
    const answers = await Promise.all(
      made.map(({ body }) =>
        sealift.client.get('/v1/auth/token/lookup-self', { token: String(body.auth.client_token) }),
      ),
    );
    await more;
    expect(answers.map(({ status }) => status)).to.deep.equal(made.map(() => 200));
    const [first] = made;
    const changed = `${String(first?.body.auth.client_token).slice(0, -1)}~`;
    expect((await ask(changed)).status).to.be.oneOf([403, 429]);
  });

  it('unknown tokens are looked up as often as an address may call, and no oftener', async () => {
    const ping = (): Promise<Response> => fetch(`${sealift.url}/api/v2/ping`);
    await eventually(async () => (await ping()).headers.has('x-ratelimit-limit'));
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }): void => void (/FROM tokens/i.test(sql) && statements.push(sql));
    sealift.context.db.on('query', note);
    const answers: Response[] = [];
    // At once, so that more of them come in a second than the limit, on a slow machine too.
    for (let round = 0; round < 4; round += 1)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, (_, number) => ask(`guess-${round * 50 + number}`)),
        )),
      );
    sealift.context.db.removeListener('query', note);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).to.be.greaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).to.equal('1');
    // One look-up for the token, and one for whose it was. A slow machine passes several seconds meanwhile.
    expect(statements.length).to.be.at.most(2 * (answers.length - refused.length));
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => ask('guess-0'))))
      expect(answer.status).to.be.oneOf([403, 429]);
  });

  it('unknown tokens that come at once are looked up no oftener than the limit allows', async () => {
    // The second of the tokens before has to end first.
    let guess = 0;
    await eventually(async () => (await ask(`fresh-${(guess += 1)}`)).status === 403);
    let lookUps = 0;
    // Whether an unknown token was a known one is looked up once for each.
    const note = ({ sql }: { sql: string }): void => void (/FROM tokens t\b/i.test(sql) && (lookUps += 1));
    const { db } = sealift.context;
    // All of them arrive before the first outcome is known.
    const lock = await db.transaction();
    await lock.raw('LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE');
    db.on('query', note);
    const begun = Date.now();
    const burst = Array.from({ length: 100 }, (_, number) => ask(`burst-${number}`));
    for (let turn = 0; turn < 5; turn += 1) await (await fetch(`${sealift.url}/openapi.json`)).text();
    await lock.rollback();
    const answers = await Promise.all(burst);
    db.removeListener('query', note);
    // On a slow machine the answers take more than the second of one limit.
    const windows = Math.floor((Date.now() - begun) / 1000) + 1;
    expect(lookUps).to.be.within(1, 30 * windows);
    expect(answers.filter(({ status }) => status === 403).length).to.equal(lookUps);
  });

  it('tokens that have ended are looked up as often as an address may call, and no oftener', async () => {
    const made = await Promise.all(
      Array.from({ length: 80 }, () =>
        sealift.client.post('/v1/auth/token/create', { policies: ['default'] }),
      ),
    );
    const { db } = sealift.context;
    const accessors = made.map(({ body }) => String(body.auth.accessor));
    await db('tokens').whereIn('accessor', accessors).delete();
    let lookUps = 0;
    const note = ({ sql }: { sql: string }): void => void (/FROM tokens t\b/i.test(sql) && (lookUps += 1));
    db.on('query', note);
    const begun = Date.now();
    const answers = await Promise.all(made.map(({ body }) => ask(String(body.auth.client_token))));
    db.removeListener('query', note);
    const windows = Math.floor((Date.now() - begun) / 1000) + 1;
    expect(lookUps).to.be.within(1, 30 * windows);
    expect(answers.filter(({ status }) => status === 403).length).to.equal(lookUps);
    expect(answers.filter(({ status }) => status === 429).length).to.equal(80 - lookUps);
    // They keep out no valid token that is known.
    expect((await ask(sealift.token)).status).to.equal(404);
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
