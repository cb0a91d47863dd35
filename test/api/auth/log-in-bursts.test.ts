import { expect } from 'chai';
import { startApi } from '../../../services/api/start.ts';
import { createClient, type Client } from '../../support/client.ts';
import type { Sealift } from '../../support/sealift.ts';
import { done, from, makeRole, startWithMethods } from './support.ts';

describe('log-ins of machines that come at once', () => {
  let sealift: Sealift;
  let first: Client;
  let second: Client;
  before(async () => {
    sealift = await startWithMethods('approle', 'jwt');
    const replica = (await sealift.start('second', startApi)) as Awaited<ReturnType<typeof startApi>>;
    // The answers to hundreds of requests are not compared with the document: the time counts.
    [first, second] = [sealift.url, `http://127.0.0.1:${replica.port}`].map((url) =>
      createClient(url, sealift.token, { isUnchecked: true }),
    ) as [Client, Client];
  });
  after(() => sealift.stop());

  // How many were answered with which status.
  const burst = async (
    length: number,
    address: string,
    credentials: (index: number) => object,
  ): Promise<Record<number, number>> => {
    const answers = await Promise.all(
      Array.from({ length }, (_, index) =>
        (index % 2 === 0 ? first : second).post('/v1/auth/approle/login', credentials(index), from(address)),
      ),
    );
    const counts: Record<number, number> = {};
    for (const { status, headers } of answers) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 429 || status === 403) expect(Number(headers['retry-after'])).to.be.at.least(1);
    }
    return counts;
  };

  it('no more secret ids can be guessed at once than one after the other', async () => {
    const { role_id, secret_id } = await makeRole(sealift, {}, { name: 'guessed' });
    const counts = await burst(500, '198.51.100.20', (index) => ({
      role_id,
      secret_id: index === 499 ? secret_id : `guess-${index}`,
    }));
    expect(counts).to.deep.equal({ 400: 5, 403: 495 });
  });

  it('no more role ids can be guessed at once than one after the other', async () => {
    const counts = await burst(500, '198.51.100.21', (index) => ({ role_id: `r${index}`, secret_id: 'x' }));
    expect(counts).to.deep.equal({ 400: 20, 429: 480 });
  });

  it('many machines behind one address can log in at once, with the same role id', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'many' });
    expect(await burst(50, '198.51.100.22', () => credentials)).to.deep.equal({ 200: 50 });
    const { db } = sealift.context;
    const open = await db('log_in_failures').where('open', '>', 0);
    expect(open).to.deep.equal([]);
  });

  it('a log-in that could not be judged does not count as a failure', async () => {
    const { role_id, secret_id } = await makeRole(sealift, {}, { name: 'half' });
    expect(await burst(30, '198.51.100.23', () => ({ role_id }))).to.deep.equal({ 400: 30 });
    await done(sealift.client.post('/v1/auth/approle/login', { role_id, secret_id }, from('198.51.100.23')));
  });

  it('log-ins whose process ended before them count for a minute at most', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'left' });
    const logIn = () => burst(1, '198.51.100.24', () => credentials);
    await logIn();
    const { db } = sealift.context;
    const left = (open_until: Date) =>
      db('log_in_failures').update({ open: 20, open_until, expires_at: new Date(Date.now() + 900_000) });
    await left(new Date(Date.now() + 60_000));
    expect(await logIn()).to.deep.equal({ 429: 1 });
    await left(new Date(Date.now() - 1));
    expect(await logIn()).to.deep.equal({ 200: 1 });
  });
});
