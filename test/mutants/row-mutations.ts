import type { Mutation } from './mutation.ts';

const ORDERS = 'libs/store/orders';

/** Mutations of locked rows, and of changes that need more than one batch. */
export const rowMutations: Mutation[] = [
  {
    name: 'a claim waits for an entry that somebody holds',
    file: `${ORDERS}/claim.ts`,
    find: 'WHERE association_id = ANY (?) FOR NO KEY UPDATE SKIP LOCKED',
    replace: 'WHERE association_id = ANY (?) FOR NO KEY UPDATE',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'a claim waits for a destination that somebody holds',
    file: `${ORDERS}/claim.ts`,
    find: '  FOR NO KEY UPDATE SKIP LOCKED\n),',
    replace: '  FOR NO KEY UPDATE\n),',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'a claim waits for the rate limit of a destination that somebody holds',
    file: `${ORDERS}/rate-limit.ts`,
    find: 'FOR NO KEY UPDATE SKIP LOCKED',
    replace: 'FOR NO KEY UPDATE',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'reservations wait for a name that somebody is taking',
    file: `${ORDERS}/reserve.ts`,
    find: 'const LOCK_MS = 250;',
    replace: 'const LOCK_MS = 0;',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'a failure hides behind each newer write',
    file: 'libs/store/associations/status.ts',
    find: 'WHEN s.overdue AND ${cause} IS NOT NULL',
    replace: 'WHEN false AND ${cause} IS NOT NULL',
    tests: ['api/sync/association-status.test.js'],
  },
  {
    name: 'a decision is withdrawn while a worker has its link',
    file: 'libs/store/due/trigger.ts',
    find: '`(${DUE_DECISION} IS NOT NULL AND a.lease_token IS NULL) IS TRUE`',
    replace: '`(${DUE_DECISION} IS NOT NULL) IS TRUE`',
    tests: ['api/sync/standing-decisions.test.js'],
  },
  {
    name: 'a decision is withdrawn together with the attempt that is planned',
    file: 'libs/store/due/trigger.ts',
    find: 'trigger = (${UNDECIDED} -',
    replace: 'due_at = NULL, trigger = (${UNDECIDED} -',
    tests: ['api/sync/standing-decisions.test.js'],
  },
  {
    name: 'a changed destination is claimed before the change reached all of it',
    file: `${ORDERS}/may-claim.ts`,
    find: '  AND d.rollout_after IS NULL\n',
    replace: '',
    tests: ['e2e/rollout.test.js'],
  },
  {
    name: 'a change that a batch did not reach yet does not show',
    file: 'libs/store/associations/status.ts',
    find: 'SELECT coalesce(a.id > d.rollout_after, false) AS unreached',
    replace: 'SELECT false AS unreached',
    tests: ['e2e/rollout.test.js'],
  },
  {
    name: 'a change of the first batch forgets the rest',
    file: 'libs/store/destinations/rollout.ts',
    find: 'const isDone = ids.length < limit;',
    replace: 'const isDone = true;',
    tests: ['e2e/rollout.test.js'],
  },
  {
    name: 'a further change forgets a move that has not reached all',
    file: 'libs/store/destinations/write.ts',
    find: '...rolloutColumns(author, row.container === document.container ? undefined : move),',
    replace: '...rolloutColumns(author), rollout_move: row.container === document.container ? null : move,',
    tests: ['e2e/rollout.test.js'],
  },
  {
    name: 'a deleted destination keeps its names',
    file: 'libs/store/destinations/delete.ts',
    find: 'UPDATE entries e SET name_key = NULL FROM destinations d',
    replace: 'UPDATE entries e SET name_key = e.name_key FROM destinations d',
    tests: ['key-maintenance/deletions.test.js'],
  },
  {
    name: 'a deleted mount stays visible while its secrets are removed',
    file: 'libs/store/secrets/mounts-delete.ts',
    find: 'update({ namespace_id: null })',
    replace: 'update({ namespace_id: mount.namespace_id })',
    tests: ['key-maintenance/deletions.test.js'],
  },
  {
    name: 'a claim that sees a change first keeps the pause of before',
    file: 'libs/sync/scheduler/destination-queue.ts',
    find: 'if (claim.revision !== undefined) this.reconsider(claim.revision);',
    replace: 'if (claim.revision !== undefined) this.#revision = claim.revision;',
    tests: ['sync/scheduler/scheduler.test.js'],
  },
  {
    name: 'a wait that former credentials were asked for holds the new ones',
    file: 'libs/store/orders/rate-limit.ts',
    find: 'WHERE d.id = ? AND d.revision = ?`',
    replace: 'WHERE d.id = ? AND (d.revision = ? OR true)`',
    tests: ['e2e/recovers-after-repair.test.js'],
  },
];
