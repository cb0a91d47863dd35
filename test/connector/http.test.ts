import { expect } from 'chai';
import { defineFailures } from '../../libs/connector/http/failures.ts';
import { headersOf, readRequestId, readWaitMs } from '../../libs/connector/http/headers.ts';

const failures = defineFailures({
  store: 'Lockbox',
  setting: 'address',
  limitWaitMs: 60_000,
  causes: { box_locked: { kind: 'external', message: '{store} has locked {box}.' } },
  rows: [
    { codes: ['LOCKED'], code: 'box_locked' },
    { status: 404, code: 'not_found' },
    {
      codes: ['REFUSED', 'DENIED'],
      operations: ['write'],
      code: 'permission_missing',
      message: 'No {word}.',
    },
    { codes: ['DENIED'], code: 'policy_refused' },
  ],
});
const none = headersOf({});

describe('the failure table that connectors share', () => {
  it('an answer that no row knows is judged by its status, alike for every store', () => {
    const statuses = {
      redirected: [301, 308],
      credentials_refused: [401],
      permission_missing: [403],
      not_found: [404],
      request_refused: [400, 405, 422],
      value_too_large: [413],
      store_busy: [409, 423, 425],
      rate_limited: [429],
      store_failed: [408, 500, 501],
      store_unavailable: [502, 503, 504],
      unexpected_answer: [0, 200, 204],
    };
    for (const [code, all] of Object.entries(statuses))
      for (const status of all)
        expect(failures.describeAnswer({ status, header: none }).code, String(status)).to.equal(code);
  });

  it('the most exact code of an answer decides, then the others, and only then the status', () => {
    const codeOf = (codes: string[], operation = 'read') =>
      failures.describeAnswer({ status: 404, header: none, codes, operation }).code;
    expect(codeOf(['DENIED', 'LOCKED'])).to.equal('policy_refused');
    expect(codeOf(['DENIED', 'LOCKED'], 'write')).to.equal('permission_missing');
    expect(codeOf(['NEW', 'LOCKED'])).to.equal('box_locked');
    expect(codeOf(['NEW'])).to.equal('not_found');
  });

  it('a message names the store and the call, and says what to do', () => {
    const locked = failures.describeAnswer({
      status: 423,
      header: none,
      codes: ['LOCKED'],
      words: { box: 'b' },
    });
    expect(locked.message).to.equal('Lockbox has locked b.');
    const refused = failures.describeTransport(Object.assign(new Error('low'), { code: 'ECONNREFUSED' }));
    expect(refused?.message).to.contain('Lockbox cannot be reached').and.to.contain('(ECONNREFUSED)');
    expect(refused?.message).to.contain('Check address and the network.');
  });

  it('a wait is as long as a limit says, and never follows a refusal', () => {
    const waitOf = (status: number, retryAfter?: string) =>
      failures.describeAnswer({ status, header: headersOf({ 'retry-after': retryAfter }) }).retryAfterMs;
    expect(waitOf(429, '7')).to.equal(7000);
    expect(waitOf(429)).to.equal(60_000);
    expect(waitOf(503, '5')).to.equal(5000);
    expect(waitOf(503)).to.equal(undefined);
    expect(waitOf(403, '5')).to.equal(undefined);
  });

  it('the code of the network is found wherever an SDK put it, and other errors are left alone', () => {
    const codes: Record<string, string> = {
      ENOTFOUND: 'unreachable',
      EAI_AGAIN: 'unreachable',
      EHOSTUNREACH: 'unreachable',
      ETIMEDOUT: 'timed_out',
      CALL_TIMEOUT: 'timed_out',
      EPIPE: 'connection_lost',
      ECONNRESET: 'connection_lost',
      HPE_INVALID_CONSTANT: 'connection_lost',
      EPROTO: 'tls_failed',
      ERR_SSL_WRONG_VERSION_NUMBER: 'tls_failed',
      DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_refused',
      CERT_HAS_EXPIRED: 'certificate_refused',
      UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_refused',
      ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_refused',
      ANSWER_TOO_LONG: 'unexpected_answer',
      EGRESS_REFUSED: 'egress_refused',
      EGRESS_LIMITED: 'egress_limited',
      ABORT_ERR: 'call_interrupted',
    };
    for (const [code, expected] of Object.entries(codes)) {
      const cause = Object.assign(new Error('low'), { code });
      expect(failures.describeTransport(new Error('high', { cause }))?.code, code).to.equal(expected);
      expect(failures.describeTransport(new AggregateError([cause]))?.code, code).to.equal(expected);
    }
    const foreign = Object.assign(new Error('x'), { code: 'ERR_INVALID_CHAR' });
    for (const error of [new TypeError('x'), foreign, 'text', null])
      expect(failures.describeTransport(error)).to.equal(undefined);
  });
});

describe('the wait that a store asks for', () => {
  const now = 1_800_000_000_000;
  const date = new Date(now).toUTCString();

  it('a wait is given in seconds, as a date or as a reset, and the longest counts', () => {
    const later = new Date(now + 90_000).toUTCString();
    const reset = String(now / 1000 + 120);
    const waitOf = (headers: Record<string, unknown>) => readWaitMs(headersOf({ date, ...headers }));
    expect(waitOf({ 'retry-after': '30' })).to.equal(30_000);
    expect(waitOf({ 'retry-after': later })).to.equal(90_000);
    expect(
      waitOf({ 'retry-after': '30', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }),
    ).to.equal(120_000);
    expect(waitOf({ 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': reset })).to.equal(undefined);
    expect(waitOf({ 'retry-after': 'soon' })).to.equal(undefined);
    expect(waitOf({})).to.equal(undefined);
  });

  it('a wait is also read from what a body says', () => {
    expect(readWaitMs(headersOf({ date }), { waitMs: 1500.2 })).to.equal(1501);
    expect(readWaitMs(headersOf({ date }), { resetAt: now / 1000 + 60 })).to.equal(60_000);
  });

  it('a wait is a second at least and an hour at most, whatever a store says', () => {
    for (const [said, waited] of [
      ['0', 1000],
      ['999999999999', 3_600_000],
      [new Date(now - 5000).toUTCString(), 1000],
    ] as const)
      expect(readWaitMs(headersOf({ date, 'retry-after': said }))).to.equal(waited);
  });

  it('a request id without the usual shape is left out', () => {
    expect(readRequestId(undefined, 'with space', 'fra1::iad1::ab-12')).to.equal('fra1::iad1::ab-12');
    expect(readRequestId('<script>', 'x'.repeat(129))).to.equal(undefined);
  });
});
