import dns from 'node:dns';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { connect } from '../../libs/db/connect.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const lookup = dns.lookup;

describe('a database host that the network does not lead to', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift({ databaseHost: 'localhost' });
  });

  afterEach(() => {
    dns.lookup = lookup;
  });

  after(() => sealift.stop());

  // The connection that reports the error is closed, so the next one needs a new DNS look-up.
  const loseHost = async (code: string): Promise<void> => {
    const url = new URL(sealift.environment['DATABASE_URL'] ?? '');
    url.hostname = '127.0.0.1';
    const failing = (_host: string, _options: unknown, done: (error: Error) => void): void =>
      void setImmediate(done, Object.assign(new Error(`connect ${code}`), { code }));
    const other = connect({ url: url.href, poolSize: 1, name: 'test-network' });
    dns.lookup = failing as typeof dns.lookup;
    await other.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    await other.destroy();
  };

  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']) {
    it(`a database that is lost with ${code} is 503, and serves when it is back`, async () => {
      await loseHost(code);
      const lost = await sealift.client.post('/v1/secret/data/network', { data: { a: 'b' } });
      expect(lost.status, lost.text).to.equal(503);
      expect(lost.headers['retry-after']).to.equal('5');
      dns.lookup = lookup;
      // A connection that Postgres ended may be found dead only now.
      const write = () => sealift.client.post('/v1/secret/data/network', { data: { a: 'b' } });
      await eventually(async () => (await write()).status === 200);
    });
  }
});
