import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { done, makeRole, refusal, startWithMethods } from './support.ts';

describe('moving an auth method', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods('approle');
  });
  after(() => sealift.stop());

  const move = (from: string, to: string, options = {}) =>
    sealift.client.post('/v1/sys/remount', { from, to }, options);
  const logIn = (path: string, credentials: object) =>
    sealift.client.post(`/v1/auth/${path}/login`, credentials, { token: null });

  it('roles and secret ids move along, and tokens end', async () => {
    const { client } = sealift;
    const credentials = await makeRole(sealift);
    const { accessor } = (await client.get('/v1/sys/auth/approle')).body.data;
    const before = (await done(logIn('approle', credentials))).body.auth.client_token as string;
    const own = (token: string) => client.get('/v1/auth/token/lookup-self', { token });
    expect((await own(before)).status).to.equal(200);
    const { migration_id } = (await done(move('auth/approle', 'auth/ci/eu/'))).body.data;
    expect((await own(before)).status).to.equal(403);
    const status = await client.get(`/v1/sys/remount/status/${migration_id}`);
    expect(status.body.data.migration_info).to.deep.equal({
      source_mount: 'auth/approle/',
      target_mount: 'auth/ci/eu/',
      status: 'success',
    });
    expect((await client.get('/v1/sys/auth/ci/eu')).body.data.accessor).to.equal(accessor);
    expect((await logIn('approle', credentials)).status).to.equal(403);
    const { auth } = (await done(logIn('ci/eu', credentials))).body;
    expect((await own(auth.client_token as string)).body.data).to.include({
      path: 'auth/ci/eu/login',
      display_name: 'ci-eu-web',
    });
    await done(move('auth/ci/eu', 'auth/approle'));
    expect((await client.get(`/v1/sys/remount/status/${migration_id}`)).status).to.equal(404);
  });

  it('a path that is taken or of another kind is refused, and tokens stay', async () => {
    const { client } = sealift;
    await done(client.post('/v1/sys/auth/other', { type: 'approle' }));
    await done(client.post('/v1/sys/namespaces/team'));
    const credentials = await makeRole(sealift, {}, { name: 'stays' });
    const token = (await done(logIn('approle', credentials))).body.auth.client_token as string;
    for (const [from, to, text] of [
      ['auth/approle', 'auth/other', 'path is already in use at other/'],
      ['auth/approle', 'auth/other/below', 'path is already in use at other/'],
      ['auth/approle', 'auth/token', 'path is already in use at token/'],
      ['auth/approle', 'auth/a/role/b', 'the segment role'],
      ['auth/approle', 'approle', 'in its namespace only'],
      ['secret', 'auth/secret', 'in its namespace only'],
      ['auth/approle', 'team/auth/approle', 'in its namespace only'],
      ['auth/token', 'auth/mine', 'token credential backend cannot be moved'],
      ['auth/none', 'auth/mine', 'No auth engine at none/'],
    ] as const) {
      const [status, given] = await refusal(move(from, to));
      expect([status, given], `${from} to ${to}`).to.deep.equal([400, given]);
      expect(given).to.include(text);
    }
    expect((await client.get('/v1/auth/token/lookup-self', { token })).status).to.equal(200);
    await done(move('auth/other', 'auth/other/below'));
  });

  it('a move needs sudo on both auth methods', async () => {
    const { client } = sealift;
    await done(client.post('/v1/sys/auth/mine', { type: 'approle' }));
    const sudo = { capabilities: ['update', 'sudo'] };
    for (const [paths, status] of [
      [['sys/auth/mine'], 403],
      [['sys/auth/yours'], 403],
      [['sys/auth/mine', 'sys/auth/yours'], 200],
    ] as const) {
      const path = Object.fromEntries(['sys/remount', ...paths].map((one) => [one, sudo]));
      await done(client.post('/v1/sys/policies/acl/mover', { path }));
      const made = await client.post('/v1/auth/token/create', { policies: ['mover'] });
      const token = made.body.auth.client_token as string;
      expect((await move('auth/mine', 'auth/yours', { token })).status, paths.join()).to.equal(status);
    }
  });
});
