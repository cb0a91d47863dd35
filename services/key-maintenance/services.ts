import { createCommands } from '../../libs/commands/commands.ts';
import { createDeadLetters } from '../../libs/queue/dead-letters.ts';
import { createDepthReader } from '../../libs/queue/depth.ts';
import { createEventSender } from '../../libs/queue/events.ts';
import { createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import type { Context } from '../../libs/service/context.ts';
import { examineBroker } from '../../libs/service/diagnosis/broker.ts';
import { notifyOnCommit } from '../../libs/store/due/announce.ts';
import { countDestinationsByType } from '../../libs/store/maintenance/diagnosis.ts';
import type { MaintenanceServices } from './job.ts';

/** What jobs and commands work with. Does not start the broker. */
export function createMaintenanceServices(context: Context): MaintenanceServices {
  const { broker, topology, log, config } = context;
  notifyOnCommit(context.db, createWorkNotifier(broker, topology, log));
  return {
    ...context,
    events: createEventSender(broker, topology),
    commands: createCommands(broker, { ...context, timeoutMs: config.COMMAND_TIMEOUT }),
    deadLetters: createDeadLetters(broker, topology),
    // After the line above, which declares the queue.
    countDeadLetters: createDepthReader(broker, topology.deadLetters),
    findIdleWorkers: async () =>
      (await examineBroker(config, await countDestinationsByType(context.db))).idle,
  };
}
