import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { AUDIT, entriesWith } from './support.ts';

const STORE = '/v1/sys/sync/destinations/cloud1-sm/prod';
const SETTINGS = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-central-1',
};

describe('what an auditor asks the trail for', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await client.post('/v1/secret/data/app/db', { data: { a: 'x' } });
    await client.get('/v1/secret/data/app/db');
    await client.post('/v1/sys/reveal/secret/app/db', { keys: ['a'] });
    for (const name of ['prod', 'prod2']) {
      const made = await client.post(STORE.replace(/prod$/, name), SETTINGS);
      expect(made.status, made.text).to.equal(200);
    }
    await client.post(`${STORE}/associations/set`, { mount: 'secret', secret_name: 'app/db' });
    await client.post(`${STORE}2/plan`, {});
    await client.get(`${AUDIT}?format=csv`);
  });
  after(() => sealift.stop());

  const actionsWith = async (filters: Record<string, string>): Promise<string[]> =>
    (await entriesWith(sealift, filters)).map(({ action }) => action);

  it('reads of values are told from changes, whichever route they took', async () => {
    expect(await actionsWith({ kind: 'read' })).to.have.members([
      'GET /:mount/data/*path',
      'POST /sys/reveal/*path',
    ]);
    const changes = await actionsWith({ kind: 'change' });
    expect(changes).to.include('POST /:mount/data/*path');
    expect(changes).to.not.include('POST /sys/reveal/*path');
    const plan = 'POST /sys/sync/destinations/:type/:name/plan';
    expect(changes).to.not.include(plan);
    expect(await actionsWith({})).to.include(plan);
    expect(changes.filter((action) => action.startsWith('GET'))).to.deep.equal([]);
    const action = 'POST /:mount/data/*path';
    expect(await actionsWith({ kind: 'change', 'without-action': action })).to.not.include(action);
    expect((await sealift.client.get(`${AUDIT}?filter[kind]=write`)).status).to.equal(422);
  });

  it('a destination is found by its name, with its type or an alias of it, and no other one', async () => {
    for (const destination of ['prod', 'aws-sm/prod', 'cloud1-sm/prod', '/cloud1-sm/prod/']) {
      const found = await entriesWith(sealift, { destination });
      expect(found, destination).to.have.length(2);
      for (const { path } of found) expect(path).to.match(/^sys\/sync\/destinations\/cloud1-sm\/prod(\/|$)/);
    }
    expect(await entriesWith(sealift, { destination: 'gcp-sm/prod' })).to.deep.equal([]);
  });

  it('names are found in the whole trail by a part of them, by who may read the trail', async () => {
    const { client } = sealift;
    const names = async (query: string, token?: string) =>
      client.get(`${AUDIT}/names?${query}`, token === undefined ? {} : { token });
    expect((await names('of=secret&contains=APP')).body.data).to.deep.equal(['secret/app/db']);
    expect((await names('of=actor')).body.data).to.include('root');
    expect((await names('of=user&contains=nobody')).body.data).to.deep.equal([]);
    expect((await names('of=password')).status).to.equal(422);
    const policy = 'path "api/v2/admin/audit-events" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/auditor', { policy });
    const tokenWith = async (policies: string[]): Promise<string> =>
      (await client.post('/v1/auth/token/create', { policies })).body.auth.client_token;
    expect((await names('of=actor', await tokenWith(['auditor']))).status).to.equal(200);
    expect((await names('of=actor', await tokenWith(['default']))).status).to.equal(404);
  });

  it('an export begins with the time in UTC, and has not its own entry, which has no end yet', async () => {
    const request = { headers: { 'x-request-id': 'own-export' } };
    const answer = await sealift.client.get(`${AUDIT}?format=csv`, request);
    expect(answer.text).to.not.include('own-export');
    const [head = '', first = ''] = answer.text.split('\r\n');
    expect(head).to.match(/^\ufeffat,user,actor,sentence,outcome,/);
    expect(first).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,/);
    const again = await sealift.client.get(`${AUDIT}?format=csv`);
    expect(again.text).to.include('own-export');
  });

  it('the story of a secret has a span of time, and a time that is none is refused', async () => {
    const story = async (query: string) => sealift.client.get(`/v1/sys/story/secret/app/db?${query}`);
    const all = (await story('')).body.data.story;
    expect(all.length).to.be.above(3);
    const [{ at: newest }] = all;
    expect((await story(`until=${newest}`)).body.data.story).to.have.length(all.length - 1);
    expect((await story(`since=${newest}`)).body.data.story).to.have.length(1);
    expect((await story('since=2999-01-01T00:00:00Z')).body.data.story).to.deep.equal([]);
    for (const wrong of ['soon', '0000-01-01T00:00:00Z'])
      expect((await story(`since=${wrong}`)).status, wrong).to.equal(400);
  });

  it('a span of time that ends before it begins is refused wherever one is taken', async () => {
    const span = { since: '2026-01-02T02:30:00%2B02:00', until: '2026-01-02T00:00:00Z' };
    for (const path of [
      '/v1/sys/story/secret/app/db',
      `${STORE}/history`,
      '/v1/sys/sync/incidents',
      `${STORE}/incidents`,
    ]) {
      const answer = await sealift.client.get(`${path}?since=${span.since}&until=${span.until}`);
      expect(answer.status, path).to.equal(400);
      expect(answer.body.errors, path).to.deep.equal(['until must not be before since']);
      const other = await sealift.client.get(`${path}?since=${span.until}&until=${span.since}`);
      expect(other.status, path).to.equal(200);
    }
    const filters = `filter[since]=${span.since}&filter[until]=${span.until}`;
    const refused = await sealift.client.get(`${AUDIT}?${filters}`);
    expect(refused.status).to.equal(422);
    expect(refused.text).to.include('filter[until] must not be before since');
  });

  it('letters of a display name keep their base', async () => {
    const body = { policies: ['default'], display_name: 'Carla Núñez' };
    const made = await sealift.client.post('/v1/auth/token/create', body);
    const found = await sealift.client.get('/v1/auth/token/lookup-self', {
      token: made.body.auth.client_token,
    });
    expect(found.body.data.display_name).to.equal('token-Carla-Nunez');
  });
});
