import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm, entryOf, failureOf, openSession, operations, rowsOf } from './support.ts';

const unknown = { name: 'TOKEN', reference: null };

describe('hosting-project: failures', () => {
  let fake: HostingProjectFake;
  const sessions: Session[] = [];

  async function open(
    ...options: Parameters<typeof openSession> extends [unknown, ...infer Rest] ? Rest : never
  ) {
    const session = await openSession(fake, ...options);
    sessions.push(session);
    return session;
  }

  before(async () => {
    fake = await startHostingProjectFake();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('`check` names what is missing: token, team, project, role', async () => {
    fake.restrictToken('vcp_reader', { variables: 'read' });
    fake.restrictToken('vcp_nothing', { variables: 'none' });
    fake.restrictToken('vcp_account', { teams: [''] });
    fake.restrictToken('vcp_elsewhere', { projects: ['prj_other'] });
    fake.restrictToken('vcp_member', { hidesProduction: true });
    fake.plant({ name: 'OTHER', value: 'theirs' });
    const failure = async (access_token: string, more = {}) =>
      failureOf((await open({ access_token, ...more })).check(calm(), 'sealift-check'));
    expect((await failure('vcp_reader')).message).to.contain(
      'not allowed to write the environment variables of prj_web',
    );
    expect((await failure('vcp_nothing')).message).to.contain('not allowed to read');
    const team = await failure('vcp_account', { team_id: 'team_acme' });
    expect(team).to.include({ kind: 'client', code: 'permission_missing', scope: 'destination' });
    expect(team.message).to.contain('prj_web of team_acme').and.to.contain('team_id');
    expect((await failure('vcp_valid', { team_id: 'team_unknown' })).code).to.equal('permission_missing');
    expect((await failure('vcp_elsewhere')).code).to.equal('container_not_found');
    expect((await failure('vcp_member')).message).to.contain('cannot see the production variables');
    expect((await failure('not-a-token')).code).to.equal('credentials_refused');
  });

  it('a token that may not see production never reads a variable as absent or removed', async () => {
    fake.restrictToken('vcp_member', { hidesProduction: true });
    await (await open()).put(entryOf('TOKEN', 'one'), calm());
    const session = await open({ access_token: 'vcp_member' });
    expect((await failureOf(session.read(unknown, calm()))).code).to.equal('permission_missing');
    expect((await failureOf(session.remove(unknown, calm()))).code).to.equal('permission_missing');
    const preview = await open({ access_token: 'vcp_member', deployment_environments: ['preview'] });
    expect(await preview.read(unknown, calm())).to.equal(null);
    await preview.check(calm(), 'sealift-check');
  });

  it('a project that is gone never reads as an absent or a deleted variable', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    fake.removeProject('prj_web');
    const gone = { kind: 'client', code: 'container_not_found', scope: 'destination' };
    for (const known of [reference, null]) {
      const entry = { name: 'TOKEN', reference: known };
      expect(await failureOf(session.read(entry, calm()))).to.include(gone);
      expect(await failureOf(session.remove(entry, calm()))).to.include(gone);
      expect(await failureOf(session.put(entryOf('TOKEN', 'two', known), calm()))).to.include(gone);
    }
  });

  it('a page of a proxy with status 404 is not taken for a variable that is gone', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    fake.addFault({ kind: 'garbage', status: 404 });
    const entry = { name: 'TOKEN', reference };
    expect((await failureOf(session.remove(entry, calm()))).code).to.equal('unexpected_answer');
    expect((await failureOf(session.read(entry, calm()))).code).to.equal('unexpected_answer');
  });

  it('the limit on deletes waits until its reset', async () => {
    const session = await open();
    const { reference } = await session.put(entryOf('TOKEN', 'one'), calm());
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 23, operation: 'removeEnv', times: 1 });
    const entry = { name: 'TOKEN', reference };
    const error = await failureOf(session.remove(entry, calm()));
    expect(error).to.include({ kind: 'throttled', scope: 'destination', retryAfterMs: 23_000 });
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal(['production=one']);
    await session.remove(entry, calm());
    expect(rowsOf(fake, 'TOKEN')).to.deep.equal([]);
  });

  it('nothing is tried again by the SDK', async () => {
    const session = await open();
    for (const status of [429, 500, 502, 503]) {
      fake.addFault({ kind: 'error', status, times: 1 });
      await failureOf(session.put(entryOf('TOKEN', 'one'), calm()));
    }
    expect(operations(fake)).to.deep.equal([
      'createEnv 429',
      'createEnv 500',
      'createEnv 502',
      'createEnv 503',
    ]);
  });

  it('every verb has its time limit', async () => {
    const session = await open({}, { callTimeoutMs: 150 });
    fake.addFault({ kind: 'hang' });
    const errors = await Promise.all(
      [
        session.check(calm(), 'sealift-check'),
        session.read(unknown, calm()),
        session.put(entryOf('TOKEN', 'x', 'id/preview'), calm()),
        session.remove({ name: 'TOKEN', reference: 'id/production' }, calm()),
      ].map((verb) => failureOf(verb)),
    );
    for (const error of errors) expect(error).to.include({ kind: 'external', code: 'timed_out' });
  });

  it('a call that is stopped from outside ends at once', async () => {
    const session = await open({}, { callTimeoutMs: 60_000 });
    fake.addFault({ kind: 'hang' });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const error = await failureOf(session.put(entryOf('TOKEN', 'x'), stop.signal));
    expect(error).to.include({ kind: 'external', code: 'call_interrupted' });
    const stopped = await failureOf(session.read(unknown, AbortSignal.abort()));
    expect(stopped).to.include({ kind: 'external', code: 'call_interrupted' });
  });

  it('a server that nobody runs is unreachable, for every entry alike', async () => {
    const session = await open({}, { environment: () => 'http://127.0.0.1:1' });
    const error = await failureOf(session.check(calm(), 'sealift-check'));
    expect(error).to.include({ kind: 'external', code: 'unreachable', scope: 'destination' });
  });

  it('a server without TLS on an https address is named as such', async () => {
    const session = await open({}, { environment: () => fake.url.replace('http:', 'https:') });
    expect((await failureOf(session.check(calm(), 'sealift-check'))).code).to.equal('tls_failed');
  });

  it('one connection serves call after call, and is ended with the session', async () => {
    const session = await open();
    const sockets: Socket[] = [];
    const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
    subscribe('net.client.socket', note);
    for (let index = 0; index < 5; index += 1) await session.read(unknown, calm());
    unsubscribe('net.client.socket', note);
    expect(sockets).to.have.length(1);
    await session.close?.();
    expect(sockets[0]?.destroyed).to.equal(true);
  });
});
