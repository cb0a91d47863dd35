import { expect } from 'chai';
import { entriesWith } from '../audit/support.ts';
import type { Sealift } from '../../support/sealift.ts';
import { done, from, makeRole, refusal, startWithMethods } from './support.ts';

const LOG_IN = '/v1/auth/approle/login';
const INVALID = [400, 'invalid role or secret ID'];
const DENIED = [403, 'permission denied'];

describe('log-ins of machines', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods('approle');
  });
  after(() => sealift.stop());

  const logIn = (credentials: object, address: string) =>
    sealift.client.post(LOG_IN, credentials, from(address));

  it('a field that is missing is named, and unknown credentials are all answered alike', async () => {
    const { role_id, secret_id } = await makeRole(sealift);
    expect(await refusal(logIn({}, '198.51.100.1'))).to.deep.equal([400, 'missing role_id']);
    for (const role of [role_id, 'unknown'])
      expect(await refusal(logIn({ role_id: role, secret_id: '' }, '198.51.100.1'))).to.deep.equal([
        400,
        'missing secret_id',
      ]);
    expect(await refusal(logIn({ role_id, secret_id: 'wrong' }, '198.51.100.1'))).to.deep.equal(INVALID);
    expect(await refusal(logIn({ role_id: 'wrong', secret_id }, '198.51.100.1'))).to.deep.equal(INVALID);
  });

  it('addresses bound to the secret id, its role and its token count behind a proxy', async () => {
    const { client } = sealift;
    const bySecret = await makeRole(sealift, { secret_id_bound_cidrs: '10.1.0.0/16' }, { name: 'by-secret' });
    expect(await refusal(logIn(bySecret, '10.2.0.1'))).to.deep.equal(INVALID);
    await done(logIn(bySecret, '10.1.0.1'));
    const byToken = await makeRole(sealift, { token_bound_cidrs: '10.1.0.0/16' }, { name: 'by-token' });
    expect(await refusal(logIn(byToken, '10.2.0.1'))).to.deep.equal(DENIED);
    const { auth } = (await done(logIn(byToken, '10.1.0.1'))).body;
    const use = (address: string) =>
      client.get('/v1/auth/token/lookup-self', from(address, { token: auth.client_token }));
    expect((await use('10.1.3.4')).status).to.equal(200);
    expect((await use('10.2.0.1')).status).to.equal(403);
    const own = { cidr_list: '10.1.2.0/24', token_bound_cidrs: '10.1.9.0/24' };
    const path = '/v1/auth/approle/role/by-token/secret-id';
    const { secret_id } = (await done(client.post(path, own))).body.data;
    const closer = { role_id: byToken.role_id, secret_id };
    expect(await refusal(logIn(closer, '10.1.3.1'))).to.deep.equal(INVALID);
    expect(await refusal(logIn(closer, '10.1.2.1'))).to.deep.equal(DENIED);
  });

  it('a role without secret ids lets in who comes from its addresses', async () => {
    const open = { bind_secret_id: false, secret_id_bound_cidrs: '10.5.0.0/16' };
    await done(sealift.client.post('/v1/auth/approle/role/open', { ...open, role_id: 'open-role' }));
    await done(logIn({ role_id: 'open-role', secret_id: '' }, '10.5.0.1'));
    expect(await refusal(logIn({ role_id: 'open-role' }, '10.6.0.1'))).to.deep.equal(INVALID);
  });

  it('a role id that failed five times from one address is refused there, and nowhere else', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'guessed' });
    const wrong = { ...credentials, secret_id: 'wrong' };
    for (let count = 0; count < 5; count += 1)
      expect(await refusal(logIn(wrong, '198.51.100.5'))).to.deep.equal(INVALID);
    const locked = await logIn(credentials, '198.51.100.5');
    const seconds = Number(locked.headers['retry-after']);
    expect(seconds).to.be.within(800, 900);
    const what = 'too many failed log-ins with this role id from this address';
    expect([locked.status, locked.body.errors]).to.deep.equal([403, [`${what}: try again in ${seconds} s`]]);
    await done(logIn(credentials, '198.51.100.6'));
    const later = new Date(Date.now() - 1000);
    await sealift.context.db('log_in_failures').update({ expires_at: later });
    await done(logIn(credentials, '198.51.100.5'));
  });

  it('the lock of a role id does not tell whether there is such a role', async () => {
    const guess = () => logIn({ role_id: 'nobody', secret_id: 'wrong' }, '198.51.100.15');
    for (let count = 0; count < 5; count += 1) expect(await refusal(guess())).to.deep.equal(INVALID);
    const [status, text] = await refusal(guess());
    expect(status).to.equal(403);
    expect(text).to.match(
      /^too many failed log-ins with this role id from this address: try again in \d+ s$/,
    );
  });

  it('a success forgets the failures of its role id', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'forgiven' });
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 4; count += 1)
        await refusal(logIn({ ...credentials, secret_id: 'wrong' }, '198.51.100.7'));
      await done(logIn(credentials, '198.51.100.7'));
    }
  });

  it('an address with twenty failures in a minute is told when to try again', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'flooded' });
    const guess = (count: number) => logIn({ role_id: `guess-${count}`, secret_id: 'x' }, '2001:db8:1::1');
    for (let count = 0; count < 20; count += 1) expect(await refusal(guess(count))).to.deep.equal(INVALID);
    // The whole network of the address counts.
    const answer = await logIn(credentials, '2001:db8:1::2');
    expect(answer.status).to.equal(429);
    expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
    await done(logIn(credentials, '2001:db8:2::1'));
  });

  it('a token that the log-in shows is ignored, valid or not', async () => {
    const { client } = sealift;
    const credentials = await makeRole(sealift, {}, { name: 'shown' });
    const { client_token: old, accessor } = (
      await client.post('/v1/auth/token/create', { policies: ['root'], num_uses: 1, display_name: 'old' })
    ).body.auth;
    for (const token of [old, 'slt.unknown', sealift.token]) {
      const { auth } = (await done(client.post(LOG_IN, credentials, from('198.51.100.8', { token })))).body;
      expect(auth.policies).to.deep.equal(['app', 'default']);
    }
    const found = await client.post('/v1/auth/token/lookup-accessor', { accessor });
    expect(found.body.data.num_uses).to.equal(1);
    const namespace = 'below';
    await done(client.post('/v1/sys/namespaces/below'));
    await done(client.post('/v1/sys/auth/approle', { type: 'approle' }, { namespace }));
    const lower = await makeRole(sealift, {}, { name: 'shown', namespace });
    const shown = from('198.51.100.8', { token: sealift.token });
    await done(client.post('/v1/below/auth/approle/login', lower, shown));
    const entries = await entriesWith(sealift, { address: '198.51.100.8' });
    expect(entries.map(({ actor }) => actor)).to.deep.equal(Array(4).fill('approle-shown'));
  });

  it('the audit trail has who logged in, how and by which role, and never a secret id', async () => {
    const { client, context } = sealift;
    const credentials = await makeRole(sealift, {}, { name: 'audited' });
    const call = client.call('PUT', LOG_IN, credentials, from('198.51.100.9'));
    const { auth } = (await done(call)).body;
    const [entry] = await entriesWith(sealift, { address: '198.51.100.9' });
    expect(entry).to.deep.include({
      accessor: auth.accessor,
      actor: 'approle-audited',
      'auth-method': 'approle',
      policies: ['app', 'default'],
      action: 'POST /auth/approle/login',
      path: 'auth/approle/login',
      outcome: 'succeeded',
    });
    expect(entry?.detail).to.deep.equal({
      mount: 'approle',
      role: 'audited',
      user: 'audited',
      ttl_seconds: 3600,
    });
    const wrong = { role_id: credentials.role_id, secret_id: 'canary-of-a-guess' };
    for (let count = 0; count < 2; count += 1) await refusal(logIn(wrong, '198.51.100.10'));
    const [refused] = await entriesWith(sealift, { address: '198.51.100.10' });
    expect(refused?.detail).to.deep.equal({
      kind: 'log_in_failed',
      count: 2,
      mount: 'approle',
      role: 'audited',
      reason: 'unknown secret id',
    });
    const all = JSON.stringify(await context.db('audit_events').select());
    expect(all).to.not.include('canary-of-a-guess');
    expect(all).to.not.include(credentials.secret_id);
  });

  it('an entry that cannot be stored keeps a log-in from giving a token', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'unaudited' });
    const { db } = sealift.context;
    await db.raw('ALTER TABLE audit_events RENAME TO audit_events_away');
    try {
      expect((await logIn(credentials, '198.51.100.11')).status).to.be.at.least(500);
    } finally {
      await db.raw('ALTER TABLE audit_events_away RENAME TO audit_events');
    }
    expect(await db('tokens').where({ role: 'unaudited' })).to.deep.equal([]);
  });

  it('a log-in does not make the service look up the other callers anew', async () => {
    const credentials = await makeRole(sealift, {}, { name: 'quiet' });
    const { client, context } = sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['default'] });
    const { client_token: token, accessor } = made.body.auth;
    const ask = () => client.get('/v1/auth/token/lookup-self', { token });
    expect((await ask()).status).to.equal(200);
    // Not through the API, which would look everybody up anew.
    await context.db('tokens').where({ accessor }).delete();
    await done(logIn(credentials, '198.51.100.12'));
    expect((await ask()).status).to.equal(200);
    await done(client.post('/v1/auth/approle/role/quiet', { token_ttl: 60 }));
    expect((await ask()).status).to.equal(403);
  });
});
