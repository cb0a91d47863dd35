import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTracing } from '../../libs/tracing/start.ts';
import { currentTrace, traceHeaders, withSpan } from '../../libs/tracing/trace.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; kind: number };
type Batch = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const DESTINATION = 'traced-destination';
const VALUE = 'a-traced-value';

describe('traces', () => {
  const received: string[] = [];
  let collector: Server;
  let endpoint: string;
  let fake: Fake;
  let sealift: Sealift;

  before(async () => {
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push(`${request.url} ${Buffer.concat(chunks).toString()}`);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => {
      collector.listen(0, '127.0.0.1', resolve);
    });
    endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      // Sweeps are so rare that the work notification must be what triggers the worker.
      environment: { SWEEP_INTERVAL: '60000', EGRESS_ALLOW: '127.0.0.0/8' },
      workers: { connector: cloud1Worker(fake) },
    });
  });

  after(async () => {
    await sealift?.stop();
    await fake?.close();
    await new Promise((resolve) => {
      collector.close(resolve);
    });
  });

  it('traces do not exist unless somebody names a collector', async () => {
    const stop = await startTracing({ service: 'test', endpoint: '' });
    await withSpan('nothing', {}, async () => {
      expect(traceHeaders()).to.deep.equal({});
    });
    expect(currentTrace()).to.equal(undefined);
    await stop();
    expect(received).to.deep.equal([]);
  });

  it('traces lead from the request to the call of the store, and hold no name and no value', async () => {
    const stop = await startTracing({ service: 'test', endpoint });
    try {
      const driver = createSyncDriver(sealift, 'cloud1-sm', DESTINATION);
      await driver.configure(cloud1Settings());
      await driver.write('traced-secret', { password: VALUE });
      const body = { mount: 'secret', secret_name: 'traced-secret' };
      const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
      const answer = await sealift.client.call('POST', `${driver.path}/associations/set`, body, { headers });
      expect(answer.status, answer.text).to.equal(200);
      await driver.settles('traced-secret', 'SYNCED');
      expect((await sealift.client.post(`${driver.path}/check`, {})).status).to.equal(200);
    } finally {
      await stop();
    }
    const spans = received.flatMap((text) =>
      (JSON.parse(text.slice(text.indexOf(' '))) as Batch).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
    const ours = spans.filter(({ traceId }) => traceId === TRACE);
    const put = ours.find(({ name }) => name === 'put cloud1-sm');
    expect(ancestors(put, ours)).to.deep.equal([
      'put cloud1-sm',
      'push',
      'work notification cloud1-sm',
      'POST /sys/sync/destinations/:type/:name/associations/set',
    ]);
    const check = spans.find(({ name }) => name === 'check cloud1-sm');
    expect(ancestors(check, spans).slice(0, 2)).to.deep.equal(['check cloud1-sm', 'command check']);
    expect(ancestors(check, spans)).to.have.length(3);
    for (const text of received) {
      expect(text).to.match(/^\/v1\/traces /);
      for (const word of [DESTINATION, VALUE, 'traced-secret', sealift.token])
        expect(text).to.not.include(word);
    }
  });
});

function ancestors(span: Span | undefined, all: Span[]): string[] {
  if (!span) return [];
  return [
    span.name,
    ...ancestors(
      all.find(({ spanId }) => spanId === span.parentSpanId),
      all,
    ),
  ];
}
