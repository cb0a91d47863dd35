import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { Fault } from '../../sandbox/fake-server.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { entryOf, failureOf, never, openSession } from './support.ts';

type Expected = { kind: string; code: string; scope: string; says?: RegExp; waits?: number };

const limit = (waits: number): Expected => ({
  kind: 'throttled',
  code: 'rate_limited',
  scope: 'destination',
  waits,
});

/** What the store does to the put, and the expected failure; `waits` in milliseconds. */
const ROWS: [string, Fault, Expected][] = [
  ['429 with Retry-After', { kind: 'throttle', status: 429, retryAfterSeconds: 7 }, limit(7000)],
  ['403 with Retry-After', { kind: 'throttle', status: 403, retryAfterSeconds: 11 }, limit(11_000)],
  ['403 that only says it in words', { kind: 'throttle', status: 403 }, limit(60_000)],
  ['429 without a time', { kind: 'throttle', status: 429 }, limit(60_000)],
  [
    'a sign-in that is closed for a while',
    { kind: 'login-attempts' },
    { kind: 'throttled', code: 'rate_limited', scope: 'destination', says: /for a while/, waits: 60_000 },
  ],
  [
    'a revoked token',
    { kind: 'revoked' },
    { kind: 'client', code: 'credentials_refused', scope: 'destination', says: /set a new one/ },
  ],
  [
    'single sign-on',
    { kind: 'single-sign-on' },
    { kind: 'client', code: 'permission_missing', scope: 'destination', says: /acme\/web/ },
  ],
  [
    'no permission',
    { kind: 'forbidden' },
    {
      kind: 'client',
      code: 'permission_missing',
      scope: 'destination',
      says: /lacks "secrets: write" on acme\/web/,
    },
  ],
  [
    '403 without a word',
    { kind: 'error', status: 403 },
    { kind: 'client', code: 'permission_missing', scope: 'destination', says: /permission to write secrets/ },
  ],
  ['400', { kind: 'error', status: 400 }, { kind: 'client', code: 'request_refused', scope: 'entry' }],
  ['405', { kind: 'error', status: 405 }, { kind: 'client', code: 'request_refused', scope: 'entry' }],
  [
    '409',
    { kind: 'error', status: 409 },
    { kind: 'external', code: 'store_busy', scope: 'entry', waits: 1000 },
  ],
  ['413', { kind: 'error', status: 413 }, { kind: 'client', code: 'value_too_large', scope: 'entry' }],
  ['422', { kind: 'error', status: 422 }, { kind: 'client', code: 'request_refused', scope: 'entry' }],
  ['451', { kind: 'error', status: 451 }, { kind: 'client', code: 'account_inactive', scope: 'destination' }],
  ['500', { kind: 'error', status: 500 }, { kind: 'external', code: 'store_failed', scope: 'entry' }],
  [
    '502',
    { kind: 'error', status: 502 },
    { kind: 'external', code: 'store_unavailable', scope: 'destination' },
  ],
  [
    '503 with Retry-After',
    { kind: 'error', status: 503, retryAfterSeconds: 5 },
    { kind: 'external', code: 'store_unavailable', scope: 'destination', waits: 5000 },
  ],
  [
    'a redirect',
    { kind: 'redirect' },
    {
      kind: 'client',
      code: 'repository_moved',
      scope: 'destination',
      says: /The token is not sent there/,
    },
  ],
  ['a portal page', { kind: 'garbage' }, { kind: 'external', code: 'unexpected_answer', scope: 'entry' }],
  ['a cut connection', { kind: 'cut' }, { kind: 'external', code: 'connection_lost', scope: 'entry' }],
  ['silence', { kind: 'hang' }, { kind: 'external', code: 'timed_out', scope: 'destination' }],
];

describe('repo-host: failure table', () => {
  let fake: RepoHostFake;
  let session: Session;

  before(async () => {
    fake = await startRepoHostFake();
  });
  beforeEach(async () => {
    session = await openSession(fake, { callTimeoutMs: 300 });
  });
  afterEach(async () => {
    await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  for (const [what, fault, expected] of ROWS) {
    it(`${what} means ${expected.kind} ${expected.code}`, async () => {
      fake.addFault({ operation: 'putSecret', ...fault });
      const error = await failureOf(session.put(entryOf('TOKEN', 'the-hidden-value'), never));
      const { kind, code, scope } = error;
      expect({ kind, code, scope }).to.deep.equal({
        kind: expected.kind,
        code: expected.code,
        scope: expected.scope,
      });
      expect(error.retryAfterMs).to.equal(expected.waits);
      expect(error.message).to.match(expected.says ?? /^[A-Z].*\.$/);
      expect(JSON.stringify(error) + error.stack).to.not.match(/ghp_valid|the-hidden-value|Server Error/);
      if (fake.calls().at(-1)?.status && !['redirect', 'garbage'].includes(fault.kind))
        expect(error.requestId).to.match(/^[0-9A-F]{20}$/);
    });
  }
});
