import { expect } from 'chai';
import { startApi } from '../../../services/api/start.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, entryOf, named, type Entry } from './support.ts';

describe('refused requests in the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { TRUST_PROXY: '1' } });
  });
  after(() => sealift.stop());

  const get = (path: string, address: string, options: { token?: string | null; namespace?: string } = {}) =>
    sealift.client.get(path, { ...options, headers: { 'x-forwarded-for': address } });
  const countOf = (entries: Entry[]): number =>
    entries.reduce((sum, { detail }) => sum + Number(detail?.['count'] ?? 0), 0);
  const from = (address: string) => entriesWith(sealift, { address, outcome: 'refused' });
  const weakToken = async (): Promise<string> => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    return made.body.auth.client_token;
  };

  it('equal refusals are one entry with their number: who, from where, and why', async () => {
    const token = await weakToken();
    for (let index = 0; index < 5; index += 1)
      expect((await get('/v1/secret/metadata/app', '192.0.2.1', { token })).status).to.equal(403);
    const [entry, ...others] = await from('192.0.2.1');
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({
      actor: 'token',
      'auth-method': 'token',
      policies: ['default'],
      action: 'GET /:mount/metadata/*path',
      path: 'secret/metadata/app',
      status: 403,
      'request-id': null,
      detail: { kind: 'permission_denied', count: 5 },
    });
  });

  it('a refused read of site administration counts, although it is answered like a missing page', async () => {
    const token = await weakToken();
    expect((await get('/api/v2/admin/audit-events', '192.0.2.2', { token })).status).to.equal(404);
    expect((await from('192.0.2.2'))[0]?.detail).to.deep.equal({ kind: 'permission_denied', count: 1 });
  });

  it('unknown tokens, missing tokens, unknown namespaces and failed log-ins each have their kind', async () => {
    await get('/v1/sys/mounts', '192.0.2.3', { token: 'slt.CaNaRy' });
    await get('/v1/sys/mounts', '192.0.2.3', { token: null });
    await get('/v1/sys/mounts', '192.0.2.3', { namespace: 'CaNaRy' });
    await sealift.client.post(
      '/v1/sys/wrapping/unwrap',
      { token: 'CaNaRy' },
      {
        token: null,
        headers: { 'x-forwarded-for': '192.0.2.3' },
      },
    );
    const entries = await from('192.0.2.3');
    expect(entries.map(({ detail }) => detail?.['kind'])).to.have.members([
      'bad_token',
      'no_token',
      'unknown_namespace',
      'bad_wrapping_token',
    ]);
    expect(JSON.stringify(entries)).to.not.include('CaNaRy');
  });

  it('a token that is used from a forbidden address is told from an unknown one', async () => {
    await sealift.client.post('/v1/auth/token/roles/bound', { token_bound_cidrs: ['192.0.2.0/24'] });
    const made = await sealift.client.post('/v1/auth/token/create/bound', {});
    await get('/v1/auth/token/lookup-self', '198.51.100.7', { token: made.body.auth.client_token });
    const [stolen] = await from('198.51.100.7');
    expect(stolen?.detail).to.include({ kind: 'wrong_address' });
    expect(stolen).to.include({ accessor: made.body.auth.accessor, actor: 'token' });
  });

  it('a token that has expired is named as long as it is known, and an unknown one is not', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { ttl: '1h' });
    const { accessor, client_token: token } = made.body.auth;
    await sealift.context
      .db('tokens')
      .where({ accessor })
      .update({ expires_at: new Date(0) });
    await get('/v1/sys/mounts', '198.51.100.8', { token });
    await get('/v1/sys/mounts', '198.51.100.9', { token: 'slt.unknown' });
    const [ended] = await from('198.51.100.8');
    expect(ended).to.deep.include({ accessor, actor: 'token', detail: { kind: 'ended_token', count: 1 } });
    expect((await from('198.51.100.9'))[0]).to.include({ accessor: null, actor: 'anonymous' });
  });

  it('the entry of a stranger names a mount or a part of the API, but not the path that was sent', async () => {
    await get('/v1/secret/data/CaNaRy', '192.0.2.4', { token: 'slt.unknown' });
    await get('/v1/CaNaRy/data/x', '192.0.2.4', { token: 'slt.unknown' });
    await get('/v1/sys/CaNaRy', '192.0.2.4', { token: 'slt.unknown' });
    const entries = await from('192.0.2.4');
    expect(entries.map(({ path }) => path)).to.have.members(['secret/…', '…', 'sys/…']);
    expect(JSON.stringify(entries)).to.not.include('CaNaRy');
  });

  it('a single refusal keeps its request id', async () => {
    const token = await weakToken();
    await sealift.client.get('/v1/sys/mounts', { token, ...named('single-1') });
    expect(await entryOf(sealift, 'single-1')).to.include({ path: 'sys/mounts', status: 403 });
  });

  it('a flood from many addresses is counted whole in a bounded number of entries', async () => {
    const before = countOf(await allRefusals());
    const rowsBefore = (await allRefusals()).length;
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        get('/v1/sys/mounts', `203.0.113.${index % 250}`, { token: null }),
      ),
    );
    const entries = await allRefusals();
    expect(countOf(entries) - before).to.equal(300);
    expect(entries.length - rowsBefore).to.be.at.most(120);
  });

  // The list shows at most a page, and a window may end meanwhile.
  const allRefusals = async (): Promise<Entry[]> => {
    await sealift.client.get('/api/v2/admin/audit-events?page[size]=1');
    return sealift.context.db('audit_events').where({ outcome: 'refused' }).select('detail');
  };

  it('refusals that were counted are stored when the API stops, and shown by the metrics', async () => {
    const api = (await sealift.start('second', startApi)) as Awaited<ReturnType<typeof startApi>>;
    await fetch(`http://127.0.0.1:${api.port}/v1/sys/mounts`, {
      headers: { 'x-forwarded-for': '192.0.2.6', 'x-vault-token': 'slt.unknown' },
    });
    await api.stop();
    expect((await from('192.0.2.6'))[0]?.detail).to.deep.equal({ kind: 'bad_token', count: 1 });
    const { body: text } = await sealift.context.metrics.render();
    expect(text).to.match(/sealift_refused_requests_total\{[^}]*kind="bad_token"[^}]*\} [1-9]/);
  });
});
