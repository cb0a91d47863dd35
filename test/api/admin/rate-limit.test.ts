import { expect } from 'chai';
import type { Service } from '../../../libs/service/run-service.ts';
import { startApi } from '../../../services/api/start.ts';
import { pathOf, startAdmin, type AdminSealift } from '../../settings/support/admin.ts';
import { nextSecond, withinOneSecond } from '../../support/one-second.ts';
import { createClient, type Answer, type Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { startReplicaAhead } from '../../support/replica-ahead.ts';

// Every client may call this path, and a call costs no more than the check of the limit.
const PATH = '/api/v2/ping';

describe('the rate limit', () => {
  let sealift: AdminSealift;
  let second: Client;
  let token: string;

  before(async () => {
    sealift = await startAdmin({ environment: { TRUST_PROXY: '1' } });
    const api = (await sealift.start('api-2', startApi)) as Service & { port: number };
    second = createClient(`http://127.0.0.1:${api.port}`, sealift.token);
  });

  after(() => sealift.stop());

  beforeEach(async () => {
    token = await sealift.tokenWith('default');
  });

  const ask = (client: Client, path = PATH, as: string | null = token) => client.get(path, { token: as });
  const replicas = () => [sealift.client, second];

  /** Sets the limit and the switch, and waits until both replicas apply them. */
  async function setLimit(limit: number, enabled = true): Promise<void> {
    const attributes = { 'api-rate-limit': limit, 'api-rate-limiting-enabled': enabled };
    const answer = await changeAs(await sealift.tokenWith('site-admin'), attributes);
    expect(answer.status, answer.text).to.equal(200);
    const expected = enabled ? String(limit) : undefined;
    await eventually(async () => {
      const answers = await Promise.all(replicas().map((client) => ask(client, PATH, null)));
      return answers.every(({ headers }) => headers['x-ratelimit-limit'] === expected);
    });
    await nextSecond();
  }

  function changeAs(admin: string, attributes: object): Promise<Answer> {
    return sealift.client.patch(pathOf('general'), { data: { attributes } }, { token: admin });
  }

  function countPassed(answers: Answer[]): number {
    for (const { status } of answers) expect(status).to.be.oneOf([204, 429]);
    return answers.filter(({ status }) => status === 204).length;
  }

  it('the rate limit is 30 requests a second until an administrator changes it', async () => {
    await sealift.context.db('settings').where({ kind: 'general' }).delete();
    await eventually(async () => (await ask(sealift.client)).headers['x-ratelimit-limit'] === '30');
    expect(await sealift.read('general')).to.include({
      'api-rate-limiting-enabled': true,
      'api-rate-limit': 30,
    });
  });

  it('a call beyond the rate limit is refused with 429, which says when to come again', async () => {
    await setLimit(30);
    const answers = await withinOneSecond(() =>
      Promise.all(Array.from({ length: 60 }, () => ask(sealift.client))),
    );
    expect(countPassed(answers)).to.equal(30);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.errors[0]).to.include({ status: '429', title: 'Too many requests' });
    expect(refused?.headers).to.include({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0' });
    expect(refused?.headers['x-ratelimit-reset']).to.match(/^\d+\.\d+$/);
    expect(Number(refused?.headers['x-ratelimit-reset'])).to.be.within(0, 1);
    expect(refused?.headers['retry-after']).to.equal('1');
  });

  it("the site's rate limit does not count calls of the secrets interface", async () => {
    await setLimit(30);
    const path = '/v1/auth/token/lookup-self';
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(sealift.client, path)));
    for (const { status, headers } of answers) {
      expect(status).to.equal(200);
      expect(headers).not.to.have.property('x-ratelimit-limit');
    }
    expect((await ask(sealift.client)).headers['x-ratelimit-remaining']).to.equal('29');
  });

  it('two replicas count one client together: a burst passes 30 of 120, give or take one', async () => {
    await setLimit(30);
    const answers = await withinOneSecond(() =>
      Promise.all(Array.from({ length: 60 }, () => replicas().map((client) => ask(client))).flat()),
    );
    expect(countPassed(answers)).to.be.within(29, 31);
  });

  it('a replica counts what the other has let pass', async () => {
    await setLimit(30);
    const { first, others } = await withinOneSecond(async () => {
      const before: Answer[] = [];
      for (let count = 0; count < 12; count += 1) before.push(await ask(sealift.client));
      return { first: before, others: await Promise.all(Array.from({ length: 60 }, () => ask(second))) };
    });
    expect(countPassed(first)).to.equal(12);
    expect(countPassed(others)).to.be.within(17, 19);
  });

  it('the rate limit is exact to five percent over seconds of steady load on two replicas', async () => {
    await setLimit(30);
    const begin = Date.now();
    const answers: Answer[] = [];
    const hammer = async (client: Client): Promise<void> => {
      while (Date.now() < begin + 2900) {
        const answer = await ask(client);
        // On a busy machine an answer may come from the second after.
        if (Date.now() < begin + 3000) answers.push(answer);
      }
    };
    await Promise.all(
      replicas()
        .flatMap((client) => [client, client, client])
        .map(hammer),
    );
    expect(answers.length).to.be.greaterThan(100);
    expect(countPassed(answers)).to.be.within(86, 94);
  });

  it('Postgres is not asked for a slow client, nor for a refusal', async () => {
    await setLimit(30);
    const rows = () =>
      sealift.context.db('rate_limits').whereLike('key', 'api:token:%').sum('points as points').first();
    const before = await rows();
    expect((await ask(sealift.client)).status).to.equal(204);
    expect(await rows()).to.deep.equal(before);
    await nextSecond();
    // The first call of the next second would begin to count anew.
    const { closed, later } = await withinOneSecond(async () => {
      await Promise.all(Array.from({ length: 40 }, () => ask(sealift.client)));
      const refusing = await rows();
      await Promise.all(Array.from({ length: 10 }, () => ask(sealift.client)));
      return { closed: refusing, later: await rows() };
    });
    expect(later).to.deep.equal(closed);
  });

  it('each token has a limit of its own, and each address where there is no valid token', async () => {
    await setLimit(30);
    const other = await sealift.tokenWith('default');
    const flood = (...tokens: (string | null)[]) =>
      withinOneSecond(() =>
        Promise.all(tokens.flatMap((as) => Array.from({ length: 40 }, () => ask(sealift.client, PATH, as)))),
      );
    expect(countPassed(await flood(token))).to.equal(30);
    expect(countPassed(await flood(other))).to.equal(30);
    await nextSecond();
    expect(countPassed(await flood(null, 'slt.wrong'))).to.equal(30);
  });

  it('the address that one proxy saw is limited, whatever its client says before it', async () => {
    await setLimit(30);
    const flood = (seen: string) =>
      withinOneSecond(() =>
        Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            sealift.client.get(PATH, {
              token: null,
              headers: { 'x-forwarded-for': `198.51.100.${index}, ${seen}` },
            }),
          ),
        ),
      );
    expect(countPassed(await flood('203.0.113.7'))).to.equal(30);
    expect(countPassed(await flood('203.0.113.8'))).to.equal(30);
  });

  it('the address that the outer of two proxies saw is limited', async () => {
    await setLimit(30);
    const behindTwo = { ...sealift.config, TRUST_PROXY: 2 };
    const api = await sealift.start('api', (context) => startApi({ ...context, config: behindTwo }));
    const { port } = api as Awaited<ReturnType<typeof startApi>>;
    const client = createClient(`http://127.0.0.1:${port}`, sealift.token);
    const flood = (seen: string) =>
      withinOneSecond(() =>
        Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            client.get(PATH, {
              token: null,
              headers: { 'x-forwarded-for': `198.51.100.${index}, ${seen}, 192.0.2.1` },
            }),
          ),
        ),
      );
    expect(countPassed(await flood('203.0.113.9'))).to.equal(30);
    expect(countPassed(await flood('203.0.113.10'))).to.equal(30);
    await api.stop();
  });

  it('replicas count by one clock, however far ahead that of a replica is', async () => {
    await setLimit(30);
    const { client: third, stop } = await startReplicaAhead(sealift);
    try {
      const flood = (client: Client) =>
        withinOneSecond(() => Promise.all(Array.from({ length: 40 }, () => ask(client))));
      expect(countPassed(await flood(third))).to.equal(30);
      await nextSecond();
      expect(countPassed(await flood(sealift.client))).to.equal(30);
      await nextSecond();
      expect(countPassed(await flood(third))).to.equal(30);
    } finally {
      await stop();
    }
  });

  it('clients get in again in the next second after the clock was set back', async () => {
    await setLimit(30);
    const flood = () =>
      withinOneSecond(() => Promise.all(Array.from({ length: 40 }, () => ask(sealift.client))));
    expect(countPassed(await flood())).to.equal(30);
    const tellTime = Date.now;
    Date.now = () => tellTime() - 3_600_000;
    try {
      await nextSecond();
      expect(countPassed(await flood())).to.equal(30);
    } finally {
      Date.now = tellTime;
    }
  });

  it('health and the well-known documents have no rate limit', async () => {
    await setLimit(30);
    await Promise.all(Array.from({ length: 40 }, () => ask(sealift.client)));
    const answers = await Promise.all([
      ask(sealift.client, '/health/live'),
      ask(sealift.client, '/.well-known/jwks'),
    ]);
    for (const { status, headers } of answers) {
      expect(status).not.to.equal(429);
      expect(headers).not.to.have.property('x-ratelimit-limit');
    }
  });

  it('a changed limit holds on every replica within two seconds, and no limit means no headers', async () => {
    await setLimit(30);
    for (const [limit, enabled] of [
      [50, true],
      [50, false],
      [40, true],
    ] as const) {
      const admin = await sealift.tokenWith('site-admin');
      await changeAs(admin, { 'api-rate-limit': limit, 'api-rate-limiting-enabled': enabled });
      const changed = Date.now();
      await eventually(async () => {
        const answers = await Promise.all(replicas().map((client) => ask(client)));
        return answers.every(
          ({ headers }) => headers['x-ratelimit-limit'] === (enabled ? String(limit) : undefined),
        );
      });
      expect(Date.now() - changed).to.be.lessThan(2000);
    }
    await setLimit(40, false);
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(sealift.client)));
    expect(countPassed(answers)).to.equal(60);
  });

  it('each replica keeps the limit alone while the count cannot be kept in Postgres', async () => {
    await setLimit(30);
    await sealift.context.db.raw('ALTER TABLE rate_limits RENAME TO rate_limits_away');
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(sealift.client)));
    expect(countPassed(answers)).to.be.within(29, 31);
    await sealift.context.db.raw('ALTER TABLE rate_limits_away RENAME TO rate_limits');
  });
});
