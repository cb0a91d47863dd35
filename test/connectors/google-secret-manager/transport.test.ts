import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, failureOf, KEY, openSession } from './support.ts';

describe('cloud3-sm: connections', () => {
  let fake: Cloud3SmFake;
  let session: Session;

  before(async () => {
    fake = await startCloud3SmFake();
    session = await openSession(fake);
  });
  beforeEach(() => fake.reset());
  after(async () => {
    await session.close?.();
    await fake.close();
  });

  it('a call that never answers ends at the time limit, and its connection is cut', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const hasty = await openSession(fake, {}, { callTimeoutMs: 80, variables: { CLOUD3_SM_API_URL: url } });
    const started = performance.now();
    const failure = await failureOf(hasty.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'timed_out']);
    expect(performance.now() - started).to.be.lessThan(2000);
    // `close` waits for connections with an open call.
    await new Promise<void>((resolve) => silent.close(() => resolve()));
    await hasty.close?.();
  });

  it('calls one after the other share a connection, and keep to their own signals', async () => {
    const sockets = new Set<unknown>();
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kept = await openSession(fake, {}, { variables: { CLOUD3_SM_API_URL: url } });
    for (let number = 0; number < 5; number += 1) await kept.remove(KEY, calm());
    expect(sockets.size).to.equal(1);

    const abort = new AbortController();
    abort.abort();
    const outcomes = await Promise.allSettled([
      kept.remove(KEY, calm()),
      kept.remove(KEY, abort.signal),
      kept.remove(KEY, calm()),
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    await kept.close?.();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('the services of another universe are called only where the operator allows it', async () => {
    const credentials = JSON.stringify({
      ...JSON.parse(fake.createKey()),
      universe_domain: 'sealift.localhost',
    });
    const refused = await failureOf(openSession(fake, { credentials }));
    expect(refused.code).to.equal('credentials_refused');

    const environment = () => undefined;
    const elsewhere = await openSession(
      fake,
      { credentials },
      { environment, egressAllow: ['sealift.localhost'] },
    );
    const failure = await failureOf(elsewhere.put(entry(), calm()));
    expect([failure.kind, failure.code]).to.deep.equal(['external', 'unreachable']);
    expect(fake.calls()).to.have.length(0);
    await elsewhere.close?.();
  });
});
