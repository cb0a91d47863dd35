import type { Mutation } from './mutation.ts';

const EVENTS = 'services/api/events';
const RIGHTS = ['api/events/rights.test.js'];

/** Mutations of what subscribers to events may hear of, and cost. */
export const eventMutations: Mutation[] = [
  {
    name: 'a subscriber hears of what it may not read',
    file: `${EVENTS}/subscription.ts`,
    find: "capabilities.has('read') &&",
    replace: '',
    tests: RIGHTS,
  },
  {
    name: 'a subscriber hears of what it may read but not subscribe to',
    file: `${EVENTS}/subscription.ts`,
    find: "capabilities.has('subscribe') &&",
    replace: '',
    tests: RIGHTS,
  },
  {
    name: 'a subscriber hears of every type of event',
    file: `${EVENTS}/subscription.ts`,
    find: 'types.some((glob) => matchesGlob(glob, type))',
    replace: 'types.some((glob) => matchesGlob("*", glob + type))',
    tests: RIGHTS,
  },
  {
    name: 'a subscriber hears until the next look-up after its token has expired',
    file: `${EVENTS}/subscription.ts`,
    find: 'endsAt.getTime() <= Date.now()',
    replace: 'endsAt.getTime() <= 0',
    tests: RIGHTS,
  },
  {
    name: 'a subscriber keeps the right to subscribe for ever',
    file: `${EVENTS}/renew-rights.ts`,
    find: "grantOf(caller, namespace, path).capabilities.has('read')",
    replace: 'grantOf(caller, namespace, path)',
    tests: RIGHTS,
  },
  {
    name: 'a subscription outlives its namespace',
    file: `${EVENTS}/renew-rights.ts`,
    find: '(await idOf(namespace.path)) === namespace.id',
    replace: '(await idOf(namespace.path)) !== namespace.path',
    tests: RIGHTS,
  },
  {
    name: 'a subscription outlives its token',
    file: `${EVENTS}/renew-rights.ts`,
    find: "else one.end('rightLost');",
    replace: "else if (caller) one.end('rightLost');",
    tests: RIGHTS,
  },
  {
    name: 'events of every namespace are sent',
    file: `${EVENTS}/subscription.ts`,
    find: 'namespace.path !== wanted.namespace.path &&',
    replace: 'namespace.path !== wanted.namespace.path && wanted.namespaces.length > 0 &&',
    tests: ['api/events/namespaces.test.js'],
  },
  {
    name: 'what a subscriber does not read is kept without end',
    file: `${EVENTS}/subscription.ts`,
    find: 'this.#socket.bufferedAmount > MOST_UNREAD_BYTES',
    replace: 'this.#socket.bufferedAmount > MOST_UNREAD_BYTES * 1e6',
    tests: ['api/events/bounds.test.js'],
  },
  {
    name: 'a subscriber may talk without end',
    file: `${EVENTS}/subscription.ts`,
    find: 'this.#received > MOST_RECEIVED',
    replace: 'this.#received > MOST_RECEIVED * 1e6',
    tests: ['api/events/bounds.test.js'],
  },
  {
    name: 'a silent peer stays',
    file: `${EVENTS}/subscription.ts`,
    find: 'if (!this.#answersPings) return this.#socket.terminate();',
    replace: 'if (!this.#answersPings) this.#received = 0;',
    tests: ['api/events/bounds.test.js'],
  },
  {
    name: 'the broker carries paths of secrets in the clear',
    file: `${EVENTS}/message.ts`,
    find: 'return { name: SECRET_CHANGED, data: { sealed } };',
    replace: 'return { name: SECRET_CHANGED, data: { sealed, events } };',
    tests: ['api/events/messages.test.js'],
  },
  {
    name: 'a body is taken for the frames of a WebSocket',
    file: 'services/api/http/upgrade.ts',
    find: "(headers['content-length'] ?? '0') === '0'",
    replace: 'true',
    tests: ['api/events/requests.test.js'],
  },
];
