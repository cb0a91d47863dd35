import { expect } from 'chai';
import { createToken } from '../../libs/store/access/tokens.ts';
import { startExampleService } from '../api/openapi/support.ts';
import type { Sealift } from '../support/sealift.ts';
import { mutate } from './mutate.ts';
import { listOperations, type Operation } from './operations.ts';
import { createRandom } from './random.ts';
import { createSender, type RawAnswer, type RawRequest } from './send.ts';

const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 8);
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_260_115);
const WIDTH = 6;
const LIMIT_MS = 15_000;
const CANARY = 'canary-of-the-victim-7391';

const operations = await listOperations();

describe(`a fuzz run over every operation of the OpenAPI document, seed ${SEED}`, function () {
  this.timeout(SECONDS * 3000 + 60_000);
  let sealift: Sealift;
  let attacker: string;

  before(async () => {
    sealift = await startExampleService();
    const { client } = sealift;
    for (const namespace of ['victim', 'attacker']) {
      await client.post(`/v1/sys/namespaces/${namespace}`);
      await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' }, { namespace });
    }
    for (const options of [{ namespace: 'victim' }, {}]) {
      await client.post(`/v1/secret/data/${CANARY}/db`, { data: { [CANARY]: CANARY } }, options);
      await client.post('/v1/secret/data/app/db', { data: { a: CANARY } }, { ...options });
    }
    const policy = {
      path: { '*': { capabilities: ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'] } },
    };
    await client.post(
      '/v1/sys/policies/acl/everything',
      { policy: JSON.stringify(policy) },
      { namespace: 'attacker' },
    );
    const found = await sealift.context.db('namespaces').where({ path: 'attacker' }).first();
    attacker = await makeToken(String(found.id), ['everything']);
  });

  after(() => sealift.stop());

  it('no call brings a 5xx, a hang, a crash, an undocumented status or a polluted prototype', async () => {
    // Fuzzing with all rights also revokes the token in use, so each request makes a new one.
    const count = await attack({ token: () => makeToken('root', ['root']), seed: SEED });
    expect(count).to.be.at.least(operations.length);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect((await sealift.client.get('/health/ready', { token: null })).status).to.equal(200);
  });

  it('no call shows a caller of one namespace what another holds', async () => {
    const count = await attack({ token: async () => attacker, seed: SEED + 1, forbidden: CANARY });
    expect(count).to.be.at.least(operations.length);
  });

  type Attack = { token: () => Promise<string>; seed: number; forbidden?: string };

  async function attack({ token, seed, forbidden }: Attack): Promise<number> {
    const sender = createSender(sealift.url, LIMIT_MS);
    const end = Date.now() + SECONDS * 1000;
    let count = 0;
    let taken = 0;
    const faults = new Map<string, string>();
    const sendInTurn = async (number: number): Promise<void> => {
      const random = createRandom(seed + number * 7919);
      for (let turn = number; Date.now() < end || turn < operations.length; turn += WIDTH) {
        const operation = operations[turn % operations.length];
        if (!operation) throw new Error('the document has no operations');
        const { tame, ...request } = mutate(random, operation, await token());
        // An answer may contain only the victim's own data; a path with the forbidden name is only echoed.
        const answer = await sender.send(request).catch((error: unknown) => unanswered(error, request));
        if (!answer) continue;
        count += 1;
        if (answer.status < 300) taken += 1;
        const fault = faultOf(answer, operation, tame, forbidden);
        if (!fault) continue;
        const what = `${fault}: ${operation.verb} ${operation.path} ${answer.status}`;
        faults.set(what, `${what}\n${show(request)}\n${answer.text.slice(0, 300)}`);
      }
    };
    try {
      await Promise.all(Array.from({ length: WIDTH }, (_, number) => sendInTurn(number)));
    } finally {
      sender.close();
    }
    expect([...faults.values()].slice(0, 20).join('\n\n')).to.equal('');
    // If the service refused all mutations at once, the test would reach no deeper code. No made-up log-in succeeds.
    expect(taken).to.be.greaterThan(count / 25);
    return count;
  }

  async function makeToken(namespaceId: string, policies: string[]): Promise<string> {
    const { db, installation } = sealift.context;
    const made = await createToken(db, installation.hashKey, {
      namespaceId,
      parentId: null,
      displayName: 'fuzz',
      policies,
      renewable: false,
      ttlSeconds: 600,
      explicitMaxTtlSeconds: 0,
    });
    return made.secret;
  }
});

// Calls that a connector worker carries out. Only the workers of one type run here.
const BY_CONNECTORS = /\/(?:check|associations\/verify)$/;

function faultOf(
  answer: RawAnswer,
  operation: Operation,
  tame: boolean,
  forbidden?: string,
): string | undefined {
  const isWaiting = answer.status === 503 && answer.headers['retry-after'] !== undefined;
  const mayWait = BY_CONNECTORS.test(operation.path);
  if (answer.status >= 500 && !(isWaiting && mayWait)) return 'a 5xx';
  if (forbidden !== undefined && answer.text.includes(forbidden)) return 'what another namespace holds';
  if (/\n\s+at .{1,200}:\d+:\d+/.test(answer.text)) return 'a stack trace';
  if (answer.status !== 431 && tame && !operation.statuses.includes(answer.status))
    return 'an undocumented status';
  return undefined;
}

// The server closes a connection if it will not read the whole body, or if it cannot read the headers.
const MOST_READ = 60_000;

// The client itself refuses requests that it cannot write.
function unanswered(error: unknown, request: RawRequest): undefined {
  const { code, message } = error as { code?: string; message?: string };
  if (/^(ERR_INVALID_CHAR|ERR_UNESCAPED_CHARACTERS|HPE_)/.test(code ?? '')) return undefined;
  const isLarge =
    Buffer.byteLength(request.body ?? '') > MOST_READ || JSON.stringify(request.headers).length > 10_000;
  if (isLarge && /^(ECONNRESET|EPIPE)$/.test(code ?? '')) return undefined;
  throw new Error(`${message ?? 'no answer'}\n${show(request)}`);
}

function show({ method, target, headers, body }: RawRequest): string {
  return `${method} ${target.slice(0, 300)}\n${JSON.stringify(headers).slice(0, 500)}\n${String(body ?? '').slice(0, 600)}`;
}
