import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { AUTH_TYPES } from '../../libs/store/auth/mounts.ts';
import { fillPath } from '../../services/api/openapi/paths.ts';
import { documentedRows, type DocumentedRow } from '../../services/api/openapi/rows.ts';
import { tables } from '../api/openapi/support.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { createClient, type Client } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { bodiesOf, caseOf, COST_CASES, identityProvider } from './cost-cases.ts';
import { createProbe } from './probe.ts';
import { createSender } from './send.ts';

const LONGEST_WAIT_MS = 250;
const LIMIT_MS = 20_000;
const RETRIES = 4;
const MOST_WATCHED_MS = 400;
const AT_ONCE = 20;
const MOST_BODIES = 8;
const WRITES = ['POST', 'PUT', 'PATCH'];
const PARAMS: Record<string, string> = {
  mount: 'secret',
  path: 'cost/db',
  secret: 'secret/cost/db',
  type: 'cloud1-sm',
  name: 'costly',
  id: 'polver-absent',
  kind: 'workspaces',
  usageId: 'ws-1',
};

const rows = documentedRows(tables);
const query = `?${'a=%41&'.repeat(990)}q=${'b'.repeat(190)}&list=false`;
// What the writes have made is read afterwards.
const isRead = ({ method }: DocumentedRow): number => (['GET', 'LIST'].includes(method) ? 1 : 0);
const inOrder = rows.toSorted((left, right) => isRead(left) - isRead(right));

// A token without any right may send these, and some anybody.
const isOpen = ({ access, method, path }: DocumentedRow): boolean =>
  ['public', 'token'].includes(access) && WRITES.includes(method) && !path.endsWith('revoke-self');

type Request = { row: DocumentedRow; target: string; body?: string };

describe('costly requests', () => {
  let sealift: Sealift;
  let api: ServiceProcess;
  let url: string;
  let client: Client;

  before(async () => {
    sealift = await startSealift();
    const addresses = {
      'sso-endpoint-url': 'https://idp.example/sso',
      'slo-endpoint-url': 'https://idp.example/slo',
    };
    const saml = { enabled: true, 'idp-cert': identityProvider.cert, ...addresses };
    await sealift.context.db('settings').insert({ kind: 'saml', attributes: JSON.stringify(saml) });
    const port = String(await choosePort(undefined));
    // Its own process, so that the work of the test itself does not count.
    api = await startProcess('programs/api/main.js', { ...sealift.environment, PORT: port });
    url = `http://127.0.0.1:${port}`;
    client = createClient(url, sealift.token);
    await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    await client.post('/v1/sys/mounts/plain', { type: 'kv' });
    for (const type of AUTH_TYPES) await client.post(`/v1/sys/auth/${type}`, { type });
    const globs = Array.from({ length: 500 }, (_, index) => `*${'a*'.repeat(120)}b${index}`);
    await client.post('/v1/auth/token/roles/costly', { allowed_policies_glob: [...globs.slice(1), '*'] });
    await client.post('/v1/secret/data/read', { data: { a: 'b' } });
    await client.post('/v1/secret/data/cost/db', { data: { a: 'b' } });
  });

  after(async () => {
    await api.kill();
    await sealift.stop();
  });

  it('every route that takes a body has its case', () => {
    const served = rows.filter(({ method }) => WRITES.includes(method)).map(caseOf);
    expect([...new Set(served)].toSorted()).to.deep.equal(Object.keys(COST_CASES).toSorted());
  });

  it('no other request waits for the largest and nastiest request of any route', async () => {
    const probe = createProbe(url, sealift.token, { limitMs: LIMIT_MS, pid: api.pid });
    const sender = createSender(url, LIMIT_MS);
    const outcomes: Promise<void>[] = [];
    const faults: string[] = [];
    const carryOut = async (action: () => Promise<void>): Promise<void> => {
      try {
        await action();
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException;
        // The server closes a connection whose body it does not read to the end.
        if (!['EPIPE', 'ECONNRESET'].includes(code)) faults.push(message);
      }
    };
    const send = async ({ row, target, body }: Request): Promise<number> => {
      const token = row.path === '/auth/token/revoke-self' ? await ownToken() : sealift.token;
      const outcome = carryOut(async () => {
        const { status } = await sender.send({
          method: row.method,
          target,
          headers: headersOf(row, token),
          ...(body ? { body } : {}),
        });
        if (status >= 500 && status !== 503) faults.push(`${row.method} ${target}: ${status}`);
      });
      outcomes.push(outcome);
      // A command waits longer for a worker, of which there is none here. Its work in the API is done by then.
      return probe.worstDuring(() =>
        Promise.race([outcome, delay(MOST_WATCHED_MS, undefined, { ref: false })]),
      );
    };
    const slow: string[] = [];
    try {
      await probe.rounds(20);
      for (const request of inOrder.flatMap(requestsOf)) {
        // Either the machine is busy with something else, or the request delays others each time.
        let waited = await send(request);
        for (let left = RETRIES; left > 0 && waited > LONGEST_WAIT_MS; left -= 1) {
          const noise = await probe.worstDuring(() => probe.rounds(20));
          waited = (await send(request)) - noise;
        }
        if (waited > LONGEST_WAIT_MS)
          slow.push(`${caseOf(request.row)} ${String(request.body).slice(0, 60)}: ${Math.round(waited)} ms`);
      }
      await Promise.all(outcomes);
    } finally {
      await probe.stop();
      sender.close();
    }
    expect({ slow, faults }).to.deep.equal({ slow: [], faults: [] });
  });

  it('no other request waits for many at once of any kind that needs no right', async () => {
    const probe = createProbe(url, sealift.token, { limitMs: LIMIT_MS, pid: api.pid });
    const sender = createSender(url, LIMIT_MS);
    const token = await ownToken();
    const sendMany = async ({ row, target, body = '' }: Request): Promise<void> => {
      const one = { method: row.method, target, headers: headersOf(row, token), body };
      await Promise.all(Array.from({ length: AT_ONCE }, () => sender.send(one).catch(() => undefined)));
    };
    const slow: string[] = [];
    try {
      await probe.rounds(20);
      for (const request of rows.filter(isOpen).flatMap(largestOf)) {
        let waited = await probe.worstDuring(() => sendMany(request));
        for (let left = RETRIES; left > 0 && waited > LONGEST_WAIT_MS; left -= 1) {
          const noise = await probe.worstDuring(() => probe.rounds(20));
          waited = (await probe.worstDuring(() => sendMany(request))) - noise;
        }
        if (waited > LONGEST_WAIT_MS)
          slow.push(`${caseOf(request.row)} ${String(request.body).slice(0, 60)}: ${Math.round(waited)} ms`);
      }
    } finally {
      await probe.stop();
      sender.close();
    }
    expect(slow).to.deep.equal([]);
  });

  async function ownToken(): Promise<string> {
    const made = await client.post('/v1/auth/token/create', { policies: ['default'] });
    return String(made.body.auth.client_token);
  }
});

function requestsOf(row: DocumentedRow): Request[] {
  const mount = row.path.startsWith('/~kv1') ? 'plain' : 'secret';
  // What other requests need must stay.
  const isEnd = row.method === 'DELETE' || /^\/~kv2\/(?:delete|destroy)\//.test(row.path);
  const path = isEnd ? 'absent' : 'cost/db';
  const name = row.method === 'DELETE' ? 'absent' : 'costly';
  const plain = fillPath(row.path, { ...PARAMS, mount, path, name });
  const target = plain.startsWith('/api/') || plain.startsWith('/health') ? plain : `/v1${plain}`;
  const list = row.method === 'LIST' ? '' : query;
  if (!WRITES.includes(row.method)) return [{ row, target: `${target}${list}` }];
  const bodies = bodiesOf(row);
  return bodies.length > 0 ? bodies.map((body) => ({ row, target, body })) : [{ row, target }];
}

function largestOf(row: DocumentedRow): Request[] {
  const size = ({ body = '' }: Request): number => body.length;
  return requestsOf(row)
    .toSorted((left, right) => size(right) - size(left))
    .slice(0, MOST_BODIES);
}

function headersOf(row: DocumentedRow, token: string): Record<string, string> {
  const type =
    row.dialect === 'admin'
      ? 'application/vnd.api+json'
      : row.method === 'PATCH'
        ? 'application/merge-patch+json'
        : 'application/json';
  return {
    authorization: `Bearer ${token}`,
    'content-type': row.path === '/users/saml/auth' ? 'application/x-www-form-urlencoded' : type,
  };
}
