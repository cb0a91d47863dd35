import { expect } from 'chai';
import type { Answer } from '../../support/client.ts';
import { untilWaiting } from '../../support/lock-waits.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, putSecret, recordsOf, repository, set } from './support.ts';

const web = destinationPath('web', 'repo-host');
const REFUSED = { class: 'CLIENT_SIDE_ERROR', code: 'value_too_large', message: 'too large' };
const DOWN = { class: 'EXTERNAL_SERVICE_ERROR', code: 'timed_out', message: 'no answer' };

describe('the status of an association', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    await create(client, web, { ...repository, secret_name_template: '{{ .SecretKey }}' });
    await putSecret(client, 'app', { one: '1', two: '2' });
    expectOk(await set(client, web, 'app'));
  });
  after(() => sealift.stop());

  // Writes a worker's result over a settled and synced association.
  const leave = async (
    association: object,
    entries: Record<string, object> = {},
    destination: object = {},
  ) => {
    const { db } = sealift.context;
    const settled = { generation: 3, synced_generation: 3, due_at: null, lease_token: null, attempts: 0 };
    await db('associations').update({ ...settled, removing: false, failure: null, ...association });
    await db('entries').update({ status: 'SYNCED', cause: null, synced_version: 1 });
    for (const [sub_key, change] of Object.entries(entries))
      await db('entries').where({ sub_key }).update(change);
    await db('destinations').update({ throttled_until: null, ...destination });
  };
  const shown = async (): Promise<Record<string, Record<string, unknown>>> => {
    const records = recordsOf(await sealift.client.get(`${web}/associations`));
    return Object.fromEntries(records.map((record) => [String(record['sub_key']), record]));
  };
  const statuses = async (): Promise<unknown[]> => {
    const { one, two } = await shown();
    return [one?.['sync_status'], two?.['sync_status']];
  };
  const soon = new Date(Date.now() + 600_000);
  // Not once for all: what is due for 10 s counts as not tried again.
  const justNow = (): Date => new Date(Date.now() - 1000);

  it('an association is SYNCED when its newest generation was pushed', async () => {
    await leave({});
    expect((await shown())['one']).to.include({
      sync_status: 'SYNCED',
      synced_version: 1,
      source_version: 1,
      attempts: 1,
    });
  });

  it('an association stays SYNCED while a version that will expire waits for its time', async () => {
    await leave({ due_at: soon });
    expect((await shown())['one']).to.include({ sync_status: 'SYNCED', next_attempt_at: null });
  });

  it('an association is PENDING as soon as it has something newer to push', async () => {
    await leave(
      { generation: 4, due_at: justNow(), failure: JSON.stringify(DOWN) },
      { two: { status: DOWN.class, cause: DOWN } },
    );
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
    await leave({ generation: 4 });
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
  });

  it('a failed association that is due but not tried again shows its error', async () => {
    const longAgo = new Date(Date.now() - 11_000);
    await leave({ generation: 4, due_at: longAgo, failure: JSON.stringify(DOWN) });
    expect((await shown())['one']).to.deep.include({ sync_status: DOWN.class, cause: DOWN });
    const { body } = await sealift.client.get('/v1/sys/sync/summary');
    expect(JSON.stringify(body)).to.include(DOWN.code);
    await leave({ generation: 4, due_at: longAgo });
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
    // The next try of the same is due, and nobody has begun it yet.
    const due = justNow();
    await leave({ generation: 4, attempts: 1, due_at: due, failure: JSON.stringify(DOWN) });
    expect(await statuses()).to.deep.equal([DOWN.class, DOWN.class]);
    expect(Date.parse(String((await shown())['one']?.['next_attempt_at']))).to.equal(due.getTime());
  });

  it('the failure of a whole destination stays in sight while its next try is overdue', async () => {
    const failing = { failure: JSON.stringify(REFUSED), failures: 1, failing_since: justNow() };
    await leave(
      { generation: 4, due_at: justNow() },
      {},
      { ...failing, probe_at: new Date(Date.now() - 11_000) },
    );
    const { one } = await shown();
    expect(one).to.deep.include({ sync_status: REFUSED.class, cause: REFUSED, next_attempt_at: null });
    // A person has asked for a try just now.
    await leave({ generation: 4, due_at: justNow() }, {}, { ...failing, probe_at: justNow() });
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
    await leave({}, {}, { failure: null, failures: 0, failing_since: null, probe_at: null });
  });

  it('an association is SYNCING or UNSYNCING while a worker holds it', async () => {
    await leave({ generation: 4, due_at: soon, lease_token: 7 });
    expect(await statuses()).to.deep.equal(['SYNCING', 'SYNCING']);
    await leave({ generation: 4, due_at: soon, lease_token: 7, removing: true });
    expect(await statuses()).to.deep.equal(['UNSYNCING', 'UNSYNCING']);
    await leave({ generation: 4, due_at: justNow(), lease_token: 7 });
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
  });

  it('an association is THROTTLED while the store asks to wait, with the time', async () => {
    await leave({ generation: 4, due_at: justNow() }, {}, { throttled_until: soon });
    const { one } = await shown();
    expect(one).to.include({ sync_status: 'THROTTLED', cause: null });
    expect(Date.parse(String(one?.['next_attempt_at']))).to.equal(soon.getTime());
    await leave({}, {}, { throttled_until: soon });
    expect(await statuses()).to.deep.equal(['SYNCED', 'SYNCED']);
  });

  it('the cause of the last failure stays in sight while the next attempt is due or runs', async () => {
    const limited = { ...DOWN, code: 'rate_limited' };
    const failing = { two: { status: DOWN.class, cause: limited, failing_since: soon } };
    const failure = { ...limited, since: soon.toISOString().replace('Z', '000Z') };
    for (const [expected, association, until] of [
      ['PENDING', { generation: 4, due_at: justNow() }, null],
      ['THROTTLED', { generation: 4, due_at: justNow() }, soon],
      ['SYNCING', { generation: 4, due_at: soon, lease_token: 7 }, null],
    ] as const) {
      await leave(association, failing, { throttled_until: until });
      const { one, two } = await shown();
      expect(one).to.include({ sync_status: expected }).and.not.have.property('last_failure');
      expect(two).to.deep.include({ sync_status: expected, cause: null, last_failure: failure });
      const { rows } = expectOk(await sealift.client.get(`${web}/associations/rows`));
      expect(rows[0]).to.deep.include({ sync_status: expected, last_failure: failure });
      const { links } = expectOk(await sealift.client.get('/v1/sys/sync/links'));
      expect(links[0]).to.deep.include({ sync_status: expected, last_failure: failure });
    }
    await leave({ generation: 3, due_at: soon, attempts: 1 }, failing);
    expect((await shown())['two'])
      .to.deep.include({ cause: limited })
      .and.not.have.property('last_failure');
    await leave({}, { two: { failing_since: null } });
    expect((await shown())['two']).to.not.have.property('last_failure');
  });

  it('an association that waits its turn while the store limits the rate says so', async () => {
    const trigger = { cause: 'write', by: null, generation: 4 };
    const [saved] = await sealift.context.db('secret_versions').orderBy('created_at', 'desc').limit(1);
    // The store has refused a call just now.
    const limited = { rate_limit_expires_at: new Date(Date.now() + 600_000) };
    await leave({ generation: 4, due_at: justNow(), trigger }, {}, limited);
    await sealift.context.db('entries').update({ synced_version: null });
    const { one } = await shown();
    expect(one).to.deep.include({ sync_status: 'PENDING', cause: null });
    const last = one?.['last_failure'] as Record<string, string> | undefined;
    expect(last).to.deep.include({ class: 'THROTTLED', code: 'rate_limited' });
    expect(Date.parse(last?.['since'] ?? '')).to.equal(saved.created_at.getTime());
    const { rows } = expectOk(await sealift.client.get(`${web}/associations/rows`));
    expect(rows[0].last_failure.code).to.equal('rate_limited');
    await leave({ trigger: null }, {}, limited);
    expect((await shown())['one']).to.not.have.property('last_failure');
    await leave({}, {}, { rate_limit_expires_at: null });
  });

  it('a key that failed shows its error, beside another that is SYNCED', async () => {
    await leave({ attempts: 2, due_at: soon }, { two: { status: DOWN.class, cause: DOWN } });
    const { one, two } = await shown();
    expect(one).to.include({ sync_status: 'SYNCED' });
    expect(two).to.deep.include({ sync_status: DOWN.class, cause: DOWN, attempts: 2 });
    expect(Date.parse(String(two?.['next_attempt_at']))).to.equal(soon.getTime());
    await leave({ attempts: 1 }, { two: { status: REFUSED.class, cause: REFUSED } });
    expect((await shown())['two']).to.deep.include({
      sync_status: REFUSED.class,
      cause: REFUSED,
      next_attempt_at: null,
    });
  });

  it('every key shows the error of the whole where nothing could begin', async () => {
    await leave({ attempts: 1, due_at: soon, failure: JSON.stringify(DOWN) });
    expect(await statuses()).to.deep.equal([DOWN.class, DOWN.class]);
    await leave({ attempts: 1, due_at: soon, removing: true, failure: JSON.stringify(DOWN) });
    expect(await statuses()).to.deep.equal([DOWN.class, DOWN.class]);
  });

  it('an association that waits while syncing is disabled is PENDING, and the rest is unchanged', async () => {
    const { client } = sealift;
    await client.patch('/v1/sys/sync/config', { disabled: true });
    await leave({ generation: 4, due_at: justNow(), removing: true }, {}, { throttled_until: soon });
    expect(await statuses()).to.deep.equal(['PENDING', 'PENDING']);
    await leave({});
    expect(await statuses()).to.deep.equal(['SYNCED', 'SYNCED']);
    await client.delete('/v1/sys/sync/config');
  });

  it('a key with an old and a new name shows the status of the row that failed', async () => {
    const { db } = sealift.context;
    await leave({});
    const { id: _, ...row } = await db('entries').where({ sub_key: 'one' }).first();
    const renamed = { ...row, external_name: 'NEW', name_key: 'new', status: DOWN.class, cause: DOWN };
    const [made] = await db('entries').insert(renamed).returning('id');
    expect((await shown())['one']).to.include({ external_name: 'NEW', sync_status: DOWN.class });
    await db('entries').where({ sub_key: 'one' }).update({ status: 'SYNCED', cause: null });
    expect((await shown())['one']).to.include({ external_name: 'NEW', sync_status: 'SYNCED' });
    await db('entries').where({ id: made.id }).delete();
  });

  it('only one record, UNSYNCED, is left of a secret without a live version', async () => {
    await sealift.client.delete('/v1/secret/data/app');
    await leave({});
    await sealift.context.db('entries').delete();
    const records = recordsOf(await sealift.client.get(`${web}/associations`));
    expect(records).to.have.length(1);
    expect(records[0]).to.include({
      sync_status: 'UNSYNCED',
      sub_key: '',
      external_name: '',
      source_version: null,
    });
  });
});

describe('an association and a simultaneous change of its secret', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  it('an association and a change of its secret wait for each other', async () => {
    const { client, context } = sealift;
    await create(client, destinationPath('prod'));
    await putSecret(client, 'app');
    let answered = false;
    let answer: Promise<Answer> | undefined;
    await context.db.transaction(async (change) => {
      await change('secrets').where({ path: 'app' }).forUpdate().first('id');
      answer = set(client, destinationPath('prod'), 'app').finally(() => {
        answered = true;
      });
      await untilWaiting(context.db, 1);
      expect(answered).to.equal(false);
    });
    expectOk((await answer) ?? expect.fail('set was not called'));
  });
});
