import {
  readJson,
  startFake,
  type CallContext,
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
} from '../../sandbox/fake-server.ts';

type Item = { value: string; owner: string | null; changedAt: number };

const OPERATIONS: Record<string, string> = {
  GET: 'readItem',
  POST: 'createItem',
  PUT: 'replaceItem',
  PATCH: 'markItem',
  DELETE: 'deleteItem',
};

/** A lockbox server with one box, `team`. It accepts keys that begin with `key-`. */
export function startLockboxFake(options: FakeOptions = {}): Promise<Fake> {
  const items = new Map<string, Item>();
  const before = new Map<string, Item | undefined>();

  function handle(request: FakeRequest, call: CallContext): FakeReply {
    if (!request.headers.authorization?.startsWith('Bearer key-')) return problem(401);
    if (!request.path.startsWith('/boxes/team')) return problem(403);
    const { operation, target } = call;
    if (operation === 'readBox') return { status: 200, body: { items: items.size } };
    if (target === null || !/^[A-Za-z0-9._-]{1,120}$/.test(target)) return problem(422);
    const item = items.get(target);
    if (operation === 'readItem') return present(call.takeFault('stale-read') ? before.get(target) : item);
    if (operation === 'createItem' ? item : !item) return problem(item ? 409 : 404);
    before.set(target, item);
    if (operation === 'deleteItem') {
      items.delete(target);
      return { status: 200, body: {} };
    }
    const { value = item?.value, owner } = readJson(request);
    if (typeof value !== 'string' || typeof owner !== 'string') return problem(422);
    if (Buffer.byteLength(value) > 16 * 1024) return problem(413);
    items.set(target, { value, owner, changedAt: Date.now() });
    return { status: 200, body: {} };
  }

  return startFake(
    {
      type: 'lockbox',
      identify({ method, path }) {
        const [, name] = /^\/boxes\/[^/]+\/items\/([^/]+)$/.exec(path) ?? [];
        if (name === undefined) return { operation: 'readBox', target: null };
        return { operation: OPERATIONS[method] ?? 'unknown', target: name };
      },
      handle,
      refuse({ kind, status, retryAfterSeconds = 1 }) {
        if (kind === 'revoked') return problem(401);
        if (kind === 'error') return problem(status ?? 500);
        return { ...problem(429), headers: { 'retry-after': String(retryAfterSeconds) } };
      },
      isWrite: (operation) => operation !== 'readItem' && operation !== 'readBox',
      entries: () => [...items].map(([name, item]) => ({ name, ...item })),
      plant: ({ name, value, owner }) =>
        void items.set(name, {
          value: value ?? '',
          owner: typeof owner === 'string' ? owner : null,
          changedAt: Date.now(),
        }),
      reset() {
        items.clear();
        before.clear();
      },
    },
    options,
  );
}

function present(item: Item | undefined): FakeReply {
  if (!item) return problem(404);
  return { status: 200, body: { value: item.value, owner: item.owner, changed_at: item.changedAt } };
}

function problem(status: number): FakeReply {
  return { status, body: { problem: status } };
}
