import { expect } from 'chai';
import { createToken } from '../../libs/store/access/tokens.ts';
import { AUTH_TYPES } from '../../libs/store/auth/mounts.ts';
import type { Method } from '../../services/api/routing/endpoint.ts';
import { fillPath } from '../../services/api/openapi/paths.ts';
import { documentedRows, type DocumentedRow } from '../../services/api/openapi/rows.ts';
import { tables } from '../api/openapi/support.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const EVERYTHING = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'];
const PARAMS: Record<string, string> = {
  mount: 'secret',
  path: 'team/db',
  secret: 'secret/team/db',
  // An alias, so that a rule for the type must also apply to its other names.
  type: 'aws-sm',
  name: 'production',
  id: 'polver-absent',
  kind: 'workspaces',
  usageId: 'ws-1',
};

type Call = { row: DocumentedRow; method: Method; path: string };

const calls: Call[] = documentedRows(tables).flatMap((row) =>
  [row.method, ...(row.alsoMethods ?? [])].map((method) => ({
    row,
    method,
    path: fillPath(row.path, row.path.startsWith('/~kv1') ? { ...PARAMS, mount: 'plain' } : PARAMS),
  })),
);
const guarded = calls.filter(({ row }) => row.access !== 'public');
// In the root namespace, every token may look up, renew and revoke itself, and has its own sessions and cubbyhole.
const aboutOthers = guarded.filter(
  ({ row }) => !/^\/(?:auth\/(?:token\/[a-z]+-self|session)$|cubbyhole)/.test(row.path),
);
const ruled = guarded.filter(({ row }) => row.access !== 'token');

describe('access to every route and method', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    for (const namespace of ['here', 'there']) {
      await client.post(`/v1/sys/namespaces/${namespace}`);
      await makePolicy('everything', { '*': EVERYTHING }, namespace);
    }
    for (const namespace of ['', 'here']) {
      await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' }, { namespace });
      await client.post('/v1/sys/mounts/plain', { type: 'kv' }, { namespace });
      for (const type of AUTH_TYPES) await client.post(`/v1/sys/auth/${type}`, { type }, { namespace });
    }
  });

  after(() => sealift.stop());

  it('the matrix has routes to try', () => expect(guarded.length).to.be.greaterThan(120));

  it('a caller without a token is refused everything that is not public', async () => {
    await allRefused(guarded, () => Promise.resolve({ token: null }), true);
  });

  it('a token that never was is refused', async () => {
    const forged = `slt.${'A'.repeat(43)}`;
    await allRefused(guarded, () => Promise.resolve({ token: forged }), true);
  });

  it('a token that has expired is refused, with the policy root too', async () => {
    const secret = await makeToken('root', ['root']);
    const past = new Date(Date.now() - 1000);
    const changed = await sealift.context
      .db('tokens')
      .where({ display_name: nameOfLast() })
      .update({ expires_at: past });
    expect(changed).to.equal(1);
    await allRefused(guarded, () => Promise.resolve({ token: secret }), true);
  });

  it('a token that was revoked is refused', async () => {
    const secret = await makeToken('root', ['root']);
    expect((await sealift.client.post('/auth/token/revoke', { token: secret })).status).to.equal(204);
    await allRefused(guarded, () => Promise.resolve({ token: secret }), true);
  });

  it('a token of another namespace that may do everything there is refused', async () => {
    const there = await idOf('there');
    const secret = await makeToken(there, ['everything']);
    for (const namespace of ['', 'here/', 'there/../here', 'absent']) {
      const several = namespace === '' ? aboutOthers : guarded;
      await allRefused(several, () => Promise.resolve({ token: secret, namespace }), false);
    }
  });

  it('the built-in policies of a namespace give nothing of another', async () => {
    const there = await idOf('there');
    for (const policy of ['root', 'site-admin', 'default']) {
      const secret = await makeToken(there, [policy]);
      await allRefused(guarded, () => Promise.resolve({ token: secret, namespace: 'here' }), false);
      await allRefused(aboutOthers, () => Promise.resolve({ token: secret }), false);
    }
  });

  it('site administration belongs to the root namespace, whatever a policy of another says', async () => {
    const there = await idOf('there');
    const admin = guarded.filter(({ row }) => row.dialect === 'admin');
    for (const policy of ['root', 'site-admin', 'everything']) {
      const secret = await makeToken(there, [policy]);
      await allRefused(admin, () => Promise.resolve({ token: secret, namespace: 'there' }), false);
    }
  });

  it('the policy default gives its own token, its cubbyhole and wrapping, and nothing else', async () => {
    const own = /^\/auth\/token\/(lookup|renew|revoke)-self$/;
    const others = ruled.filter(
      ({ row }) => !own.test(row.path) && !/^\/(?:sys\/wrapping\/wrap$|cubbyhole)/.test(row.path),
    );
    const secret = await makeToken('root', ['default']);
    await allRefused(others, () => Promise.resolve({ token: secret }), false);
    for (const call of ruled.filter(({ row }) => own.test(row.path))) {
      const answer = await make(call, { token: await makeToken('root', ['default']) });
      expect(answer.status, `${call.method} ${call.path}`).to.be.lessThan(300);
    }
  });

  it('the policy site-admin gives site administration and nothing else', async () => {
    const secret = await makeToken('root', ['site-admin']);
    const others = ruled.filter(({ row }) => row.dialect !== 'admin');
    await allRefused(others, () => Promise.resolve({ token: secret }), false);
    const readable = ruled.filter(
      ({ row, path }) => row.dialect === 'admin' && row.method === 'GET' && !/absent|retention/.test(path),
    );
    for (const call of readable)
      expect((await make(call, { token: secret })).status, call.path).to.equal(200);
  });

  it('the policy root is refused nothing', async () => {
    const withoutWorker = ruled.filter(({ row }) => row.dialect !== 'admin' || row.method === 'GET');
    for (const call of withoutWorker) {
      const answer = await make(call, { token: await makeToken('root', ['root']) });
      expect([401, 403], `${call.method} ${call.path}: ${answer.text}`).to.not.include(answer.status);
    }
  });

  it('a rule that denies wins over one that gives everything, by every name of a path', async () => {
    for (const [index, call] of ruled.entries()) {
      const path = call.path.slice(1).replace('/destinations/aws-sm', '/destinations/cloud1-sm');
      const name = `denies-${index}`;
      await makePolicy('everything', { '*': EVERYTHING });
      await makePolicy(name, { [decodeURIComponent(path)]: ['deny'] });
      const token = await makeToken('root', ['everything', name]);
      for (const prefix of ['', '/v1', '/v1/']) {
        const answer = await make({ ...call, path: `${prefix}${call.path}` }, { token });
        expect(
          isRefused(call, answer, false),
          `${call.method} ${prefix}${call.path}: ${answer.status}`,
        ).to.equal(true);
      }
    }
  });

  it('a route asks for the capability of its method: each of them alone opens only its own', async () => {
    const needs: Record<Method, string[]> = {
      GET: ['read'],
      LIST: ['list'],
      DELETE: ['delete'],
      PATCH: ['patch'],
      POST: ['create', 'update'],
      PUT: ['create', 'update'],
    };
    for (const capability of EVERYTHING) {
      await makePolicy(`only-${capability}`, { '*': [capability] });
      const token = await makeToken('root', [`only-${capability}`]);
      const closed = ruled.filter(({ method }) => !needs[method].includes(capability));
      await allRefused(closed, () => Promise.resolve({ token }), false);
    }
  });

  let last = 0;
  const nameOfLast = (): string => `matrix-${last}`;

  async function makeToken(namespaceId: string, policies: string[]): Promise<string> {
    const { db, installation } = sealift.context;
    last += 1;
    const made = await createToken(db, installation.hashKey, {
      namespaceId,
      parentId: null,
      displayName: nameOfLast(),
      policies,
      renewable: true,
      ttlSeconds: 600,
      explicitMaxTtlSeconds: 0,
    });
    return made.secret;
  }

  async function makePolicy(name: string, rules: Record<string, string[]>, namespace = ''): Promise<void> {
    const path = Object.fromEntries(
      Object.entries(rules).map(([rulePath, capabilities]) => [rulePath, { capabilities }]),
    );
    const answer = await sealift.client.post(`/v1/sys/policies/acl/${name}`, { path }, { namespace });
    expect(answer.status, answer.text).to.equal(204);
  }

  async function idOf(path: string): Promise<string> {
    return String((await sealift.context.db('namespaces').where({ path }).first()).id);
  }

  async function make({ row, method, path }: Call, options: CallOptions): Promise<Answer> {
    const body = method === 'GET' || method === 'LIST' ? undefined : {};
    const isPatch = method === 'PATCH' && row.dialect === 'secrets';
    return sealift.client.call(method, path, body, {
      ...options,
      headers: isPatch ? { 'content-type': 'application/merge-patch+json' } : {},
    });
  }

  async function allRefused(
    several: Call[],
    caller: () => Promise<CallOptions>,
    isStranger: boolean,
  ): Promise<void> {
    const open: string[] = [];
    const waiting = [...several];
    const sendInTurn = async (): Promise<void> => {
      for (let call = waiting.pop(); call; call = waiting.pop()) {
        const answer = await make(call, await caller());
        if (!isRefused(call, answer, isStranger)) open.push(`${call.method} ${call.path}: ${answer.status}`);
      }
    };
    await Promise.all([sendInTurn(), sendInTurn(), sendInTurn(), sendInTurn()]);
    expect(open).to.deep.equal([]);
  }
});

// The admin API answers a known caller without the right with 404, so that it does not show what exists.
function isRefused({ row }: Call, answer: Answer, isStranger: boolean): boolean {
  if (row.dialect === 'secrets') return answer.status === 403;
  return answer.status === (isStranger ? 401 : 404);
}
