import type { Mutation } from './mutation.ts';

/** Mutations of what must hold when another server takes the place of a lost one of Postgres or RabbitMQ. */
export const failoverMutations: Mutation[] = [
  {
    name: 'a branch of the database that was left is joined again',
    file: 'libs/db/failover/cluster.ts',
    find: "if (stand === 'older' || stand === 'other') {",
    replace: "if (stand === 'other') {",
    tests: ['db/failover.test.js'],
  },
  {
    name: 'sessions of connectors outlive the branch that they were opened on',
    file: 'libs/sync/worker.ts',
    find: 'context.cluster.onNewBranch(() => void sessions.closeAll());',
    replace: 'context.cluster.onNewBranch(() => undefined);',
    tests: ['e2e/failover-sessions.test.js'],
  },
  {
    name: 'a loss is told to nobody',
    file: 'libs/service/loss-watch.ts',
    find: 'for (const listener of listeners) listener();',
    replace: 'if (loss.foundAt === null) for (const listener of listeners) listener();',
    tests: ['e2e/lost-writes.test.js'],
  },
  {
    name: 'a loss waits for a decision whatever ON_LOST_WRITES says',
    file: 'libs/service/loss-watch.ts',
    find: "const accepted = config.ON_LOST_WRITES === 'continue';",
    replace: "const accepted = config.ON_LOST_WRITES !== 'continue' && config.ON_LOST_WRITES !== 'stop';",
    tests: ['e2e/lost-writes.test.js'],
  },
  {
    name: 'a process that begins knows nothing of a loss that waits for a decision',
    file: 'libs/service/loss-watch.ts',
    find: 'let known = await readLoss(db);',
    replace: 'let known = { ...(await readLoss(db)), isRefusing: false };',
    tests: ['e2e/lost-writes.test.js'],
  },
  {
    name: 'jobs of maintenance run while a loss waits for a decision',
    file: 'services/key-maintenance/scheduler.ts',
    find: "if (services.loss.isRefusing() && job.name !== 'notify') continue;",
    replace: "if (services.loss.isRefusing() && job.name === '') continue;",
    tests: ['e2e/lost-writes.test.js'],
  },
  {
    name: 'a channel is left before the others can know that the leader of its queue stands still',
    file: 'libs/queue/limits.ts',
    find: 'export const CONFIRM_LIMIT_MS = 20_000;',
    replace: 'export const CONFIRM_LIMIT_MS = 5000;',
    tests: ['queue/broker-cluster.test.js'],
  },
  {
    name: 'a channel on which nothing is confirmed is kept',
    file: 'libs/queue/confirm.ts',
    find: "if (!broker.blocked) fail('the broker did not confirm a message in time');",
    replace: "if (broker.blocked) fail('the broker did not confirm a message in time');",
    tests: ['queue/unserved-channel.test.js'],
  },
  {
    name: 'events are sent on a channel whose set-up has failed',
    file: 'libs/queue/events.ts',
    find: 'const opened = await link.channel();',
    replace: 'const opened = (channel = await link.channel());',
    tests: ['queue/set-up.test.js'],
  },
  {
    name: 'a channel that is refused everything is kept',
    file: 'libs/queue/confirm.ts',
    find: "else fail('the broker refused a message');",
    replace: 'else confirmed?.();',
    tests: ['queue/broker-cluster.test.js'],
  },
  {
    name: 'a channel whose commands are all refused is kept',
    file: 'libs/queue/commands.ts',
    find: "if (tries <= 1) return fail('a command was refused');",
    replace: 'if (tries <= 1) return;',
    tests: ['queue/broker-cluster.test.js'],
  },
  {
    name: 'a broker that stands still is not missed',
    file: 'libs/queue/broker.ts',
    find: 'const HEARTBEAT_S = 10;',
    replace: 'const HEARTBEAT_S = 60;',
    tests: ['queue/broker-cluster.test.js'],
  },
];
