import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { EntryKey, Session } from '../../../libs/connector/contract.ts';
import { failures } from '../../../services/connectors/vercel-env/failures.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { HIDDEN_VALUE } from '../conformance/failure-table.ts';
import { describeFailures } from '../conformance/failures.ts';
import { calm, entryOf, failureOf, MARK, openSession, rowOf } from './support.ts';

const ALL = { scope: 'destination' } as const;
const unknown = { name: 'TOKEN', reference: null };

const planted = (fake: HostingProjectFake): EntryKey => ({
  name: 'TOKEN',
  reference: `${rowOf(fake, 'TOKEN').id}/production`,
});

describeFailures({
  type: 'hosting-project',
  failures,
  startFake: () => startHostingProjectFake(),
  open: (fake, context) => openSession(fake, {}, context),
  prepare: (fake) => fake.plant({ name: 'TOKEN', value: 'old', target: ['production'], comment: MARK }),
  verbs: {
    createEnv: (session, _fake, signal) => session.put(entryOf('NEW', HIDDEN_VALUE), signal),
    upsertEnv: (session, fake, signal) =>
      session.put(entryOf('TOKEN', HIDDEN_VALUE, planted(fake).reference), signal),
    listEnv: (session, _fake, signal) => session.check(signal, 'sealift-check'),
    getEnv: (session, fake, signal) => session.read(planted(fake), signal),
    removeEnv: (session, fake, signal) => session.remove(planted(fake), signal),
  },
  words: ['container', 'purpose', 'named'],
  hidden: /vcp_|unexpected error/,
  requestId: /^fra1::iad1::/,
  waits: { rate_limited: 60_000, store_busy: 1000 },
  rows: [
    [
      { kind: 'throttle', retryAfterSeconds: 39 },
      'createEnv',
      'throttled',
      'rate_limited',
      { what: '429 with a reset', ...ALL, waits: 39_000 },
    ],
    [
      { kind: 'throttle', retryAfterSeconds: 7, code: 'retry-after' },
      'createEnv',
      'throttled',
      'rate_limited',
      { what: '429 with Retry-After', ...ALL, waits: 7000 },
    ],
    [
      { kind: 'throttle', status: 400, retryAfterSeconds: 3 },
      'createEnv',
      'throttled',
      'rate_limited',
      { what: 'a limit that is told by its code', ...ALL, waits: 3000 },
    ],
    [
      { kind: 'throttle', retryAfterSeconds: 23 },
      'removeEnv',
      'throttled',
      'rate_limited',
      { what: 'the limit on deletes', ...ALL, waits: 23_000 },
    ],
    [
      { kind: 'revoked' },
      'createEnv',
      'client',
      'credentials_refused',
      { what: 'a revoked token', ...ALL, says: /set a new one/ },
    ],
    [401, 'createEnv', 'client', 'credentials_refused', 'destination'],
    [
      { kind: 'forbidden' },
      'createEnv',
      'client',
      'permission_missing',
      { what: 'a lack of rights', ...ALL, says: /not allowed to write .* prj_web/ },
    ],
    [[402, 'PAYMENT_REQUIRED'], 'createEnv', 'client', 'account_inactive', 'destination'],
    [
      [404, 'not_found'],
      'createEnv',
      'client',
      'container_not_found',
      { ...ALL, says: /project_id and team_id/ },
    ],
    [410, 'createEnv', 'client', 'container_not_found', 'destination'],
    [[403, 'ENV_ALREADY_EXISTS'], 'createEnv', 'exists', 'conflict'],
    [[400, 'ENV_CONFLICT'], 'createEnv', 'exists', 'conflict'],
    [[400, 'RESERVED_ENV_VARIABLE'], 'createEnv', 'client', 'name_invalid', { says: /secret_name_template/ }],
    [[400, 'BAD_REQUEST'], 'createEnv', 'client', 'request_refused', { says: /\(BAD_REQUEST\)/ }],
    // A code that is no code is not shown.
    [[400, HIDDEN_VALUE], 'createEnv', 'client', 'request_refused'],
    [405, 'createEnv', 'client', 'request_refused'],
    [413, 'createEnv', 'client', 'value_too_large'],
    [422, 'createEnv', 'client', 'request_refused'],
    [409, 'createEnv', 'external', 'store_busy'],
    [429, 'createEnv', 'throttled', 'rate_limited', 'destination'],
    [500, 'createEnv', 'external', 'store_failed'],
    [502, 'createEnv', 'external', 'store_unavailable', 'destination'],
    [503, 'createEnv', 'external', 'store_unavailable', 'destination'],
    [
      { kind: 'error', status: 503, retryAfterSeconds: 5 },
      'createEnv',
      'external',
      'store_unavailable',
      { what: '503 with Retry-After', ...ALL, waits: 5000 },
    ],
    [
      { kind: 'garbage', status: 201 },
      'createEnv',
      'external',
      'unexpected_answer',
      { what: 'a portal page for 201' },
    ],
  ],
});

describe('hosting-project: tokens, projects and connections', () => {
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
