import { HIDDEN_VALUE } from '../conformance/failure-table.ts';
import { describeFailures } from '../conformance/failures.ts';
import { startLockboxFake } from './fake.ts';
import { failures } from './failures.ts';
import { openLockbox } from './support.ts';

const KEY = { name: 'item', reference: null };
const ENTRY = { ...KEY, value: HIDDEN_VALUE, tags: {}, token: 'a-token' };

describeFailures({
  type: 'lockbox',
  failures,
  startFake: () => startLockboxFake(),
  open: openLockbox,
  prepare: (fake) => fake.plant({ name: 'item', value: 'old', owner: 'here' }),
  verbs: {
    readBox: (session, _fake, signal) => session.check(signal, 'sealift-check'),
    readItem: (session, _fake, signal) => session.read(KEY, signal),
    createItem: (session, _fake, signal) => session.put({ ...ENTRY, expect: 'absent' }, signal),
    replaceItem: (session, _fake, signal) => session.put({ ...ENTRY, expect: 'present' }, signal),
    markItem: async (session, _fake, signal) => session.retag?.({ ...KEY, tags: {}, removed: [] }, signal),
    deleteItem: (session, _fake, signal) => session.remove(KEY, signal),
  },
  words: ['box'],
  hidden: /key-first/,
  waits: { rate_limited: 1000 },
  rows: [
    [{ kind: 'revoked' }, 'readBox', 'client', 'credentials_refused', { scope: 'destination' }],
    [403, 'replaceItem', 'client', 'permission_missing', { scope: 'destination', says: /the box team/ }],
    [404, 'replaceItem', 'missing', 'not_found'],
    [409, 'createItem', 'exists', 'conflict'],
    [413, 'replaceItem', 'client', 'value_too_large'],
    [422, 'markItem', 'client', 'request_refused'],
    [{ kind: 'throttle' }, 'deleteItem', 'throttled', 'rate_limited', 'destination'],
    [500, 'readItem', 'external', 'store_failed'],
    [503, 'readItem', 'external', 'store_unavailable', 'destination'],
  ],
});
