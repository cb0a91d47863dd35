import type { Mutation } from './mutation.ts';

/** Mutations of who is told what, and when. */
export const alertMutations: Mutation[] = [
  {
    name: 'quiet hours hold nothing',
    file: 'services/key-maintenance/notify/create.ts',
    find: 'return isMuted || isQuiet(settings, now);',
    replace: 'return isMuted || isQuiet({ ...settings, quiet_from: "" }, now);',
    tests: ['key-maintenance/alerts.test.js'],
  },
  {
    name: 'what was held during quiet hours is never sent',
    file: 'services/key-maintenance/notify/create.ts',
    find: 'if (holding.has(rule.id) && !holdsBack(rule, now))',
    replace: 'if (holding.has(rule.id) && holdsBack(rule, now))',
    tests: ['key-maintenance/alerts.test.js'],
  },
  {
    name: 'a message for a broken channel is followed by all others that are due for it',
    file: 'services/key-maintenance/notify/deliver.ts',
    find: 'if (!(await deliverOne(message, { run, byId, summary }))) return;',
    replace: 'await deliverOne(message, { run, byId, summary });',
    tests: ['key-maintenance/alerts.test.js'],
  },
  {
    name: 'whoever may test a rule may send to any address',
    file: 'services/api/endpoints/alerts/try.ts',
    find: 'if (!isStored && !request.may(',
    replace: 'if (isStored && !request.may(',
    tests: ['api/alerts/alerts.test.js'],
  },
  {
    name: 'a rule may call an address that the egress guard refuses',
    file: 'services/api/endpoints/alerts/compose.ts',
    find: ': fault === null',
    replace: ': fault !== undefined',
    tests: ['api/alerts/alerts.test.js'],
  },
];
