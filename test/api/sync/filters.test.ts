import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { STATUSES } from '../../../libs/store/associations/status.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, putSecret, repository, set } from './support.ts';

const WEB = destinationPath('web', 'repo-host');

describe('filters of calls about many associations', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await create(sealift.client, WEB, repository);
    await putSecret(sealift.client, 'app/db');
    expectOk(await set(sealift.client, WEB, 'app/db'));
  });

  after(() => sealift.stop());

  const post = (path: string, body: object) => sealift.client.post(`${WEB}/${path}`, body);
  const rows = (query: string) => sealift.client.get(`${WEB}/associations/rows?${query}`);

  it('a call about many refuses a field that it does not know, with the known ones', async () => {
    const secret = { mount: 'secret', secret_name: 'app/db' };
    const calls: [string, object][] = [
      ['associations/retry', {}],
      ['associations/remove-many', { all: true }],
      ['associations/remove-many', { secrets: [secret] }],
      ['associations/set-many', { mount: 'secret' }],
      ['associations/verify', secret],
      ['associations/plan', secret],
      ['plan', {}],
    ];
    for (const [path, body] of calls) {
      const text = expectRefused(await post(path, { ...body, sttaus: 'SYNCED' }), 400);
      expect(text, path).to.match(/^sttaus is unknown: known are \w+, \w+/);
    }
    const nested = expectRefused(await post('plan', { filter: { casue: 'timed_out' } }), 400);
    expect(nested).to.equal('filter/casue is unknown: known are status, cause, q, prefix, secrets');
    expect(expectOk(await rows('status=PENDING')).rows).to.have.length(1);
  });

  it('an unknown status or cause is refused with the possible ones', async () => {
    for (const wrong of ['FAILED', 'synced', 'PENDING,FAILED']) {
      const statuses = [
        await rows(`status=${wrong}`),
        await post('associations/retry', { status: wrong }),
        await post('associations/remove-many', { status: wrong.split(',') }),
        await post('plan', { filter: { status: wrong.split(',') } }),
      ];
      for (const answer of statuses)
        expect(expectRefused(answer, 400)).to.include(`must be one of ${STATUSES.join(', ')}`);
    }
    for (const answer of [
      await rows('cause=timeout'),
      await post('associations/retry', { cause: 'timeout' }),
    ])
      expect(expectRefused(answer, 400)).to.match(/^cause must be one of timed_out, .*changed_outside/);
  });

  it('every status and cause can be asked for, and an empty one does not limit anything', async () => {
    for (const status of STATUSES) {
      const found = expectOk(await rows(`status=${status}`)).rows;
      expect(found, status).to.have.length(status === 'PENDING' ? 1 : 0);
    }
    for (const cause of ['encryption_key_unusable', 'repository_moved', 'conflict', 'changed_outside'])
      expectOk(await rows(`cause=${cause}`));
    expect(expectOk(await rows('status=&cause=&q=')).rows).to.have.length(1);
    expect(expectOk(await post('associations/retry', { status: [''], cause: '' })).retried).to.equal(1);
  });

  it('the console knows every status that an association can have', () => {
    const source = readFileSync('services/console/src/kit/status.tsx', 'utf8');
    const [, list = ''] = /export const STATUSES = \[([^\]]*)\]/.exec(source) ?? [];
    const known = [...list.matchAll(/'(\w+)'/g)].map(([, word]) => word);
    expect(known).to.have.members(STATUSES.filter((status) => status !== 'UNKNOWN'));
  });

  it('a number in a refusal agrees with its noun', async () => {
    const { client } = sealift;
    expect((await client.post('/v1/sys/mounts/counted', { type: 'kv-v2' })).status).to.equal(204);
    for (const [name, text] of [
      ['one', 'still has 1 association with'],
      ['two', 'still has 2 associations with'],
    ] as const) {
      await putSecret(client, name, { user: 'x' }, 'counted');
      expectOk(await set(client, WEB, name, { mount: 'counted' }));
      expect(expectRefused(await client.delete('/v1/sys/mounts/counted'), 400)).to.include(text);
    }
  });

  it('a retry of named secrets tries those of them that are linked, and no other', async () => {
    for (const name of ['named/one', 'named/two']) {
      await putSecret(sealift.client, name);
      expectOk(await set(sealift.client, WEB, name));
    }
    const named = (...names: string[]) => ({
      secrets: names.map((secret_name) => ({ mount: 'secret', secret_name })),
    });
    const retry = async (body: object) => expectOk(await post('associations/retry', body)).retried;
    expect(await retry(named('named/one', 'named/two', 'named/none'))).to.equal(2);
    expect(await retry(named('named/one'))).to.equal(1);
    expect(await retry({ ...named('named/one'), cause: 'timed_out' })).to.equal(0);
    expect(await retry(named())).to.equal(0);
  });
});
