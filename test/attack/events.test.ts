import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createProbe } from './probe.ts';

const LONGEST_WAIT_MS = 250;
const LIMIT_MS = 20_000;
const RETRIES = 4;

describe('floods of subscribers', () => {
  let sealift: Sealift;
  let api: ServiceProcess;
  let url: string;
  let client: Client;
  const sockets: Socket[] = [];

  before(async () => {
    sealift = await startSealift();
    const port = String(await choosePort(undefined));
    // Its own process, so that the work of the test itself does not count.
    api = await startProcess('programs/api/main.js', { ...sealift.environment, PORT: port });
    url = `http://127.0.0.1:${port}`;
    client = createClient(url, sealift.token);
    await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    await client.post('/v1/secret/data/read', { data: { a: 'b' } });
  });

  after(async () => {
    for (const socket of sockets) socket.destroy();
    await api.kill();
    await sealift.stop();
  });

  // Sends a request for a subscription, and reads nothing of what comes back unless it says so.
  function attack({ headers = '', query = '', reads = false, more = '' } = {}): Socket {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      `GET /v1/sys/events/subscribe/kv*?json=true${query} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${sealift.token}\r\n` +
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${headers}\r\n${more}`,
    );
    return reads ? socket.resume() : socket;
  }

  /** The longest wait of the probe while something happens, at the best of a few attempts: the machine may be busy. */
  async function waitedDuring(action: () => Promise<unknown>): Promise<number> {
    const probe = createProbe(url, sealift.token, { limitMs: LIMIT_MS, pid: api.pid });
    try {
      await probe.rounds(20);
      let waited = await probe.worstDuring(action);
      for (let left = RETRIES; left > 0 && waited > LONGEST_WAIT_MS; left -= 1)
        waited = (await probe.worstDuring(action)) - (await probe.worstDuring(() => probe.rounds(20)));
      return waited;
    } finally {
      await probe.stop();
    }
  }

  it('nobody waits for a flood of subscriptions', async () => {
    const waited = await waitedDuring(async () => {
      for (let round = 0; round < 60; round += 1) {
        for (let index = 0; index < 10; index += 1) attack({ reads: true });
        await delay(10);
      }
    });
    expect(waited).to.be.below(LONGEST_WAIT_MS);
  });

  it('nobody waits for a change that many subscribers hear of', async () => {
    const filter = encodeURIComponent(`path contains "${'a'.repeat(900)}" or namespace == ""`);
    for (let index = 0; index < 400; index += 1) attack({ reads: true, query: `&filter=${filter}` });
    await delay(1000);
    const path = 'a/'.repeat(500);
    const waited = await waitedDuring(async () => {
      for (let index = 0; index < 20; index += 1)
        await client.post(`/v1/secret/data/${path}x`, { data: { a: 'b' } });
    });
    expect(waited).to.be.below(LONGEST_WAIT_MS);
  });

  it('nobody waits for a subscriber that never reads, nor for one that never stops talking', async () => {
    const waited = await waitedDuring(async () => {
      const talkers = Array.from({ length: 10 }, () => attack());
      await delay(200);
      // Masked pings, whose answers nobody reads.
      const pings = Buffer.from('8980000000008a80000000008980000000'.repeat(1), 'hex');
      for (let index = 0; index < 200; index += 1) {
        for (const talker of talkers) if (talker.writable) talker.write(Buffer.concat(Array(50).fill(pings)));
        await delay(2);
      }
    });
    expect(waited).to.be.below(LONGEST_WAIT_MS);
  });

  it('nobody waits for a request with a huge head, or with a body where none belongs', async () => {
    const waited = await waitedDuring(async () => {
      for (let index = 0; index < 50; index += 1) {
        attack({ headers: `X-Long: ${'a'.repeat(100_000)}\r\n`, reads: true });
        attack({ headers: 'Content-Length: 1000000\r\n', more: 'b'.repeat(1_000_000), reads: true });
        attack({ query: `&namespaces=${'*a'.repeat(120)}`, more: randomBytes(100_000).toString('latin1') });
        await delay(5);
      }
    });
    expect(waited).to.be.below(LONGEST_WAIT_MS);
  });
});
