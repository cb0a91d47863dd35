import { expect } from 'chai';
import { findTokenBySecret } from '../../../libs/store/access/tokens.ts';
import { startApi } from '../../../services/api/start.ts';
import { startReplicaAhead } from '../../support/replica-ahead.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import {
  documentOf,
  newVersion,
  tokenWith,
  VERSIONS,
  type Resource,
} from '../policy-engine-versions/support.ts';

const AUDIT = '/api/v2/admin/audit-events';

describe('the audit trail', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const list = async (query = '') => {
    const answer = await sealift.client.get(`${AUDIT}${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const entriesOf = async (requestId: string) =>
    (await list(`?filter%5Brequest-id%5D=${requestId}`)).data.map((entry: Resource) => entry.attributes);
  const requestIdsOf = ({ data }: { data: Resource[] }) =>
    data.map((entry) => entry.attributes['request-id']);
  const create = (version: string, requestId: string, token?: string) =>
    sealift.client.post(VERSIONS, documentOf(newVersion(version)), {
      headers: { 'x-request-id': requestId },
      ...(token === undefined ? {} : { token }),
    });

  it('a change leaves an entry: who by accessor, what, when, how it ended, and the request id', async () => {
    const { db, installation } = sealift.context;
    const { accessor } = (await findTokenBySecret(db, installation.hashKey, sealift.token)) ?? {};
    const started = Date.now();
    expect((await create('1.0.0', 'change-1')).status).to.equal(201);
    const [entry, ...others] = await entriesOf('change-1');
    expect(others).to.deep.equal([]);
    expect(new Date(entry.at).getTime()).to.be.within(started - 1000, Date.now() + 1000);
    expect(entry).to.deep.include({
      accessor,
      actor: 'root',
      namespace: '',
      action: `POST ${VERSIONS}`,
      path: VERSIONS.slice(1),
      outcome: 'succeeded',
      status: 201,
      'request-id': 'change-1',
    });
  });

  it('a read of a secret leaves an entry without its value, unless the operator turned that off', async () => {
    await sealift.client.post('/v1/secret/data/read', { data: { password: 'nobody-sees-this' } });
    const read = (url: string, requestId: string): Promise<Response> =>
      fetch(`${url}/v1/secret/data/read`, {
        headers: { authorization: `Bearer ${sealift.token}`, 'x-request-id': requestId },
      });
    expect((await read(sealift.url, 'read-1')).status).to.equal(200);
    const [entry] = await entriesOf('read-1');
    expect(entry).to.include({
      action: 'GET /:mount/data/*path',
      path: 'secret/data/read',
      outcome: 'succeeded',
    });
    expect(JSON.stringify(entry)).to.not.contain('nobody-sees-this');
    const quiet = await sealift.start('quiet', (context) =>
      startApi({ ...context, config: { ...context.config, AUDIT_READS: false } }),
    );
    const { port } = quiet as unknown as { port: number };
    expect((await read(`http://127.0.0.1:${port}`, 'read-2')).status).to.equal(200);
    await quiet.stop();
    expect(await entriesOf('read-2')).to.deep.equal([]);
  });

  it('an entry has the time of the clock that retention goes by', async () => {
    const { client, stop } = await startReplicaAhead(sealift);
    const started = Date.now();
    try {
      await client.post(VERSIONS, documentOf(newVersion('1.0.9')), {
        headers: { 'x-request-id': 'ahead-1' },
      });
      const [entry] = await entriesOf('ahead-1');
      expect(new Date(entry.at).getTime()).to.be.within(started - 1000, Date.now() + 1000);
    } finally {
      await stop();
    }
  });

  it('a refused change leaves an entry, whether the body or the right was wanting', async () => {
    expect((await create('nonsense', 'refused-1')).status).to.equal(422);
    expect((await entriesOf('refused-1'))[0]).to.include({ outcome: 'refused', status: 422 });
    const weak = await tokenWith(sealift, ['default']);
    expect((await create('1.0.1', 'refused-2', weak)).status).to.equal(404);
    expect((await entriesOf('refused-2'))[0]).to.include({
      outcome: 'refused',
      status: 404,
      actor: 'default',
    });
  });

  it('a read of names and a path without an endpoint leave no entry', async () => {
    const headers = { 'x-request-id': 'silent' };
    await sealift.client.get(VERSIONS, { headers });
    await sealift.client.post('/api/v2/admin/s3cret-path', {}, { headers });
    expect(await entriesOf('silent')).to.deep.equal([]);
  });

  it('a change that cannot be audited is not carried out', async () => {
    const { db } = sealift.context;
    await db.raw('ALTER TABLE audit_events RENAME TO hidden');
    try {
      expect((await create('2.0.0', 'unaudited')).status).to.equal(503);
    } finally {
      await db.raw('ALTER TABLE hidden RENAME TO audit_events');
    }
    expect(await db('policy_engine_versions').where({ version: '2.0.0' })).to.deep.equal([]);
  });

  it('changes made at the same moment each have their own outcome', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const answer = await create(index % 2 === 0 ? `3.0.${index}` : 'nonsense', `many-${index}`);
        return { index, status: answer.status };
      }),
    );
    for (const { index, status } of answers) {
      const [entry] = await entriesOf(`many-${index}`);
      expect(entry.status, `many-${index}`).to.equal(status);
    }
  });

  it('audit entries hold no value and no token', async () => {
    const token = await tokenWith(sealift, ['root']);
    const body = documentOf(newVersion('4.0.0', { deprecated: true, 'deprecated-reason': 'mArKeR' }));
    await sealift.client.post(`${VERSIONS}?mArKeR=1`, body, { token });
    await sealift.client.get(AUDIT);
    const rows = JSON.stringify(await sealift.context.db('audit_events').select('*'));
    expect(rows).to.include(VERSIONS.slice(1));
    expect(rows).to.not.include('mArKeR');
    expect(rows).to.not.include(token);
  });

  it('nobody can change or remove an entry, not even in the database', async () => {
    const { db } = sealift.context;
    await create('5.0.0', 'kept');
    await list();
    for (const statement of [
      "UPDATE audit_events SET actor = 'somebody else'",
      "UPDATE audit_events SET outcome = 'failed' WHERE outcome = 'succeeded'",
      "DELETE FROM audit_events WHERE request_id = 'kept'",
      'TRUNCATE audit_events',
    ]) {
      const refusal = await db.raw(statement).catch((error: unknown) => error);
      expect(String(refusal), statement).to.match(/append-only/);
    }
    expect(await entriesOf('kept')).to.have.length(1);
  });

  it('an entry whose end was never heard stays an attempt', async () => {
    const { db } = sealift.context;
    await db('audit_events').insert({ actor: 'a', namespace: '', action: 'x', path: '', request_id: 'lost' });
    const [entry] = await entriesOf('lost');
    expect(entry).to.include({ outcome: 'attempted', status: null });
    const changed = await db
      .raw("UPDATE audit_events SET path = 'other', outcome = 'failed' WHERE request_id = 'lost'")
      .catch((error: unknown) => error);
    expect(String(changed)).to.match(/append-only/);
  });

  it('pages and filters find entries', async () => {
    const weak = await tokenWith(sealift, ['default']);
    const { db, installation } = sealift.context;
    const { accessor = '' } = (await findTokenBySecret(db, installation.hashKey, weak)) ?? {};
    for (let index = 0; index < 5; index += 1) await create('6.0.0', `page-${index}`, weak);
    const mine = `filter%5Baccessor%5D=${accessor}`;
    const first = await list(`?${mine}&page%5Bsize%5D=2`);
    expect(first.data).to.have.length(2);
    expect(first.data[0]).to.include({ type: 'audit-events' });
    expect(first.meta.pagination).to.deep.equal({ 'page-size': 2, 'next-after': first.data[1].id });
    expect(requestIdsOf(first)).to.deep.equal(['page-4', 'page-3']);
    const { body: second } = await sealift.client.get(first.links.next);
    expect(requestIdsOf(second)).to.deep.equal(['page-2', 'page-1']);
    const { body: third } = await sealift.client.get(second.links.next);
    expect(requestIdsOf(third)).to.deep.equal(['page-0']);
    expect([third.links.next, third.meta.pagination['next-after']]).to.deep.equal([null, null]);
    const count = async (query: string) => (await list(`?${mine}&${query}`)).data.length;
    expect(await count('filter%5Boutcome%5D=refused')).to.equal(5);
    expect(await count('filter%5Boutcome%5D=succeeded')).to.equal(0);
    expect(await count(`filter%5Bpath%5D=${encodeURIComponent('api/v2/admin')}`)).to.equal(5);
    expect(await count(`filter%5Baction%5D=${encodeURIComponent(`POST ${VERSIONS}`)}`)).to.equal(5);
    expect(await count(`filter%5Buntil%5D=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).to.equal(0);
    expect(await count(`filter%5Bsince%5D=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).to.equal(5);
    expect((await sealift.client.get(`${AUDIT}?filter%5Bsince%5D=yesterday`)).status).to.equal(422);
  });

  it('only site administrators read the audit trail', async () => {
    const weak = await tokenWith(sealift, ['default']);
    const nowhere = await sealift.client.get('/api/v2/admin/nothing', { token: weak });
    const refused = await sealift.client.get(AUDIT, { token: weak });
    expect(refused.status).to.equal(404);
    expect(refused.text).to.equal(nowhere.text);
    expect((await sealift.client.get(AUDIT, { token: null })).status).to.equal(401);
    const admin = await tokenWith(sealift, ['site-admin']);
    expect((await sealift.client.get(AUDIT, { token: admin })).status).to.equal(200);
  });
});
