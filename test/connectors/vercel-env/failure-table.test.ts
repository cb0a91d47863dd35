import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import type { Fault } from '../../sandbox/fake-server.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm, entryOf, failureOf, openSession } from './support.ts';

type Expected = { kind: string; code: string; scope: string; says?: RegExp; waits?: number };

const limit = (waits: number): Expected => ({
  kind: 'throttled',
  code: 'rate_limited',
  scope: 'destination',
  waits,
});
const client = (code: string, scope: string, says?: RegExp): Expected => ({
  kind: 'client',
  code,
  scope,
  ...(says ? { says } : {}),
});
const external = (code: string, scope: string, waits?: number): Expected => ({
  kind: 'external',
  code,
  scope,
  ...(waits === undefined ? {} : { waits }),
});
const taken: Expected = { kind: 'exists', code: 'conflict', scope: 'entry' };
const failing = (status: number, code?: string): Fault => ({
  kind: 'error',
  status,
  ...(code === undefined ? {} : { code }),
});

/** What the store does to the put, and the expected failure; `waits` in milliseconds. */
const ROWS: [string, Fault, Expected][] = [
  ['429 with a reset', { kind: 'throttle', retryAfterSeconds: 39 }, limit(39_000)],
  ['429 with Retry-After', { kind: 'throttle', retryAfterSeconds: 7, code: 'retry-after' }, limit(7000)],
  ['a limit that is told by its code', { kind: 'throttle', status: 400, retryAfterSeconds: 3 }, limit(3000)],
  ['a revoked token', { kind: 'revoked' }, client('credentials_refused', 'destination', /set a new one/)],
  ['401', failing(401), client('credentials_refused', 'destination')],
  [
    'no permission',
    { kind: 'forbidden' },
    client('permission_missing', 'destination', /not allowed to write .* prj_web/),
  ],
  ['402', failing(402, 'PAYMENT_REQUIRED'), client('account_inactive', 'destination')],
  ['404', failing(404, 'not_found'), client('container_not_found', 'destination', /project_id and team_id/)],
  ['410', failing(410), client('container_not_found', 'destination')],
  ['403 for a name that is taken', failing(403, 'ENV_ALREADY_EXISTS'), taken],
  ['400 for a name that is taken', failing(400, 'ENV_CONFLICT'), taken],
  [
    'a reserved name',
    failing(400, 'RESERVED_ENV_VARIABLE'),
    client('name_invalid', 'entry', /secret_name_template/),
  ],
  ['400', failing(400, 'BAD_REQUEST'), client('request_refused', 'entry', /\(BAD_REQUEST\)/)],
  ['a code that is no code', failing(400, 'the-hidden-value'), client('request_refused', 'entry')],
  ['405', failing(405), client('request_refused', 'entry')],
  ['413', failing(413), client('value_too_large', 'entry')],
  ['422', failing(422), client('request_refused', 'entry')],
  ['409', failing(409), external('store_busy', 'entry', 1000)],
  ['500', failing(500), external('store_failed', 'entry')],
  ['502', failing(502), external('store_unavailable', 'destination')],
  [
    '503 with Retry-After',
    { ...failing(503), retryAfterSeconds: 5 },
    external('store_unavailable', 'destination', 5000),
  ],
  ['a redirect', { kind: 'redirect' }, external('redirected', 'destination')],
  ['a portal page', { kind: 'garbage' }, external('unexpected_answer', 'entry')],
  ['a portal page for 201', { kind: 'garbage', status: 201 }, external('unexpected_answer', 'entry')],
  ['a cut connection', { kind: 'cut' }, external('connection_lost', 'entry')],
  ['silence', { kind: 'hang' }, external('timed_out', 'destination')],
];

describe('hosting-project: failure table', () => {
  let fake: HostingProjectFake;
  let session: Session;

  before(async () => {
    fake = await startHostingProjectFake();
  });
  beforeEach(async () => {
    session = await openSession(fake, {}, { callTimeoutMs: 300 });
  });
  afterEach(async () => {
    await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  for (const [what, fault, expected] of ROWS) {
    it(`${what} means ${expected.kind} ${expected.code}`, async () => {
      fake.addFault({ operation: 'createEnv', ...fault });
      const error = await failureOf(session.put(entryOf('TOKEN', 'the-hidden-value'), calm()));
      const { kind, code, scope } = error;
      expect({ kind, code, scope }).to.deep.equal({
        kind: expected.kind,
        code: expected.code,
        scope: expected.scope,
      });
      expect(error.retryAfterMs).to.equal(expected.waits);
      expect(error.message).to.match(expected.says ?? /^[A-Z].*\.$/);
      expect(JSON.stringify(error) + error.stack).to.not.match(/vcp_|the-hidden-value|unexpected error/);
      if (fake.calls().at(-1)?.status && !['redirect', 'garbage'].includes(fault.kind))
        expect(error.requestId).to.match(/^fra1::iad1::/);
    });
  }
});
