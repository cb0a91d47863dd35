import { expect } from 'chai';
import type { StoryLineAnswer } from '../../../services/api/contract/story.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { entriesWith, named } from './support.ts';

const AWS = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-central-1',
};

describe('what the audit trail binds an entry to', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const call = async (method: 'post' | 'delete', path: string, body?: unknown, id?: string, headers = {}) => {
    const options = id === undefined ? { headers } : named(id, headers);
    const answer =
      method === 'post'
        ? await sealift.client.post(path, body, options)
        : await sealift.client.delete(path, options);
    expect(answer.status, answer.text).to.be.below(300);
  };
  const story = async (path: string, headers = {}): Promise<StoryLineAnswer[]> => {
    const answer = await sealift.client.get(`/v1/sys/story/${path}`, { headers });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.story;
  };
  const requestsOf = (lines: StoryLineAnswer[]) =>
    lines.flatMap((line) => ('request_id' in line ? [line.request_id] : []));
  const value = { data: { a: '1' } };

  it('a namespace that is made anew has nothing of the former one in its stories', async () => {
    const there = { 'x-vault-namespace': 'tenant' };
    const make = async (id: string) => {
      await call('post', '/v1/sys/namespaces/tenant', {});
      await call('post', '/v1/sys/mounts/kv', { type: 'kv', options: { version: '2' } }, undefined, there);
      await call('post', '/v1/kv/data/k', value, id, there);
    };
    await make('tenant-1');
    await call('delete', '/v1/kv/metadata/k', undefined, undefined, there);
    await call('delete', '/v1/sys/mounts/kv', undefined, undefined, there);
    await sealift.client.delete('/v1/sys/mounts/secret', { headers: there });
    await eventually(async () => {
      await sealift.client.delete('/v1/sys/namespaces/tenant');
      return (await sealift.client.get('/v1/sys/namespaces/tenant')).status === 404;
    });
    await make('tenant-2');
    expect(requestsOf(await story('kv/k', there))).to.deep.equal(['tenant-2']);
  });

  it('a mount that is made anew under the same name has nothing of the former one in its stories', async () => {
    for (const id of ['anew-1', 'anew-2']) {
      await call('post', '/v1/sys/mounts/anew', { type: 'kv', options: { version: '2' } });
      await call('post', '/v1/anew/data/k', value, id);
      await call('post', '/v1/sys/reveal/anew/k', {}, `${id}-reveal`);
      expect(requestsOf(await story('anew/k'))).to.deep.equal([`${id}-reveal`, id]);
      if (id === 'anew-1') await call('delete', '/v1/sys/mounts/anew');
    }
  });

  it('the story of a secret moves along with its mount, and does not stay with the name', async () => {
    const mount = { type: 'kv', options: { version: '2' } };
    await call('post', '/v1/sys/mounts/before', mount);
    await call('post', '/v1/before/data/k', value, 'moved-1');
    await call('post', '/v1/sys/remount', { from: 'before', to: 'behind' });
    expect(requestsOf(await story('behind/k'))).to.deep.equal(['moved-1']);
    await call('post', '/v1/sys/mounts/before', mount);
    await call('post', '/v1/before/data/k', value, 'moved-2');
    expect(requestsOf(await story('before/k'))).to.deep.equal(['moved-2']);
    expect(requestsOf(await story('behind/k'))).to.deep.equal(['moved-1']);
    const byName = await entriesWith(sealift, { secret: 'before/k' });
    expect(byName.map((entry) => entry['request-id'])).to.deep.equal(['moved-2', 'moved-1']);
  });

  it('a push is told with the name of its destination when that is gone', async () => {
    const destination = '/v1/sys/sync/destinations/cloud1-sm/going';
    await call('post', destination, AWS);
    await call('post', '/v1/secret/data/going', value);
    const { rows } = await sealift.context.db.raw("SELECT id FROM destinations WHERE name = 'going'");
    const mount = await sealift.context.db('mounts').where({ path: 'secret' }).first('id');
    await sealift.context.db('sync_history').insert({
      destination_id: rows[0].id,
      mount_id: mount.id,
      secret_path: 'going',
      sub_key: '',
      action: 'create',
      outcome: 'SYNCED',
      duration_ms: 1,
    });
    await call('delete', destination);
    const push = (await story('secret/going')).find((line) => line.kind === 'push');
    expect(push).to.deep.include({ destination: { type: 'cloud1-sm', name: 'going' } });
  });

  it('the story tells that a destination was deleted, and with it the link', async () => {
    const destination = '/v1/sys/sync/destinations/cloud1-sm/forced';
    await call('post', destination, AWS);
    await call('post', '/v1/secret/data/forced', value);
    await call('post', `${destination}/associations/set`, { mount: 'secret', secret_name: 'forced' });
    await call('delete', `${destination}?force_delete=true`, undefined, 'forced-end');
    const unlinked = (await story('secret/forced')).find((line) => line.kind === 'unlink');
    expect(unlinked).to.include({
      request_id: 'forced-end',
      path: 'sys/sync/destinations/cloud1-sm/forced',
    });
  });
});

describe('the secrets of refused links', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('a link that is refused names the secret, also a name that no secret can have', async () => {
    const { client } = sealift;
    const destination = '/v1/sys/sync/destinations/cloud1-sm/refusing';
    await client.post(destination, AWS);
    await client.post('/v1/secret/data/payroll', { data: { a: '1' } });
    await client.post('/v1/sys/policies/acl/linker', {
      policy: 'path "sys/sync/*" { capabilities = ["create", "update", "read"] }',
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['linker'] });
    const token = made.body.auth.client_token;
    const one = { mount: 'secret', secret_name: 'payroll' };
    for (const [call, id] of [
      ['set', 'probe-set'],
      ['plan', 'probe-plan'],
    ]) {
      const refused = await client.post(`${destination}/associations/${call}`, one, {
        token,
        ...named(id ?? ''),
      });
      expect(refused.status, refused.text).to.equal(403);
    }
    const odd = { mount: 'se\u0000cret', secret_name: 'x'.repeat(5000) };
    const many = { secrets: [one, odd, { mount: '/nowhere/', secret_name: 'k' }] };
    const bulk = await client.post(`${destination}/associations/set-many`, many, {
      token,
      ...named('probe-many'),
    });
    expect([bulk.status, bulk.body.data?.totals]).to.deep.equal([200, { refused: 3 }]);
    const found = await entriesWith(sealift, { secret: 'secret/payroll', outcome: 'refused' });
    expect(found.map((entry) => entry['request-id'])).to.deep.equal([
      'probe-many',
      'probe-plan',
      'probe-set',
    ]);
    expect(found[0]?.detail?.['refusal']).to.match(/permission denied/);
    const all = await entriesWith(sealift, { 'request-id': 'probe-many', outcome: 'refused' });
    // The request itself was refused too, and is about no single secret.
    expect(all.map(({ secret }) => secret?.slice(0, 12))).to.have.members([
      undefined,
      'secret/payro',
      'se\ufffdcret/xxxx',
      'nowhere/k',
    ]);
  });
});
