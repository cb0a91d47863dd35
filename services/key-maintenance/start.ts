import { serveWorker } from '../../libs/commands/commands.ts';
import { mapDatabaseErrors } from '../../libs/commands/map-database-errors.ts';
import type { Context } from '../../libs/service/context.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { measureBacklog, measureQueue } from '../../libs/service/measure-backlog.ts';
import { createMaintenanceHandlers } from './commands.ts';
import { createMaintenanceServices } from './services.ts';
import { jobs } from './schedule.ts';
import { startScheduler } from './scheduler.ts';
import { measureKeys } from './measure-keys.ts';

// Tests of webhooks wait for their receivers; keys can be rotated meanwhile.
const MOST_COMMANDS = 64;

/** Serves commands, runs the schedule, and catches up on runs that were missed while no worker ran. */
export async function startKeyMaintenance(context: Context): Promise<Service> {
  const services = createMaintenanceServices(context);
  const { broker, topology } = context;
  const handlers = mapDatabaseErrors(createMaintenanceHandlers(services));
  const commands = serveWorker(broker, {
    ...context,
    worker: 'key-maintenance',
    prefetch: MOST_COMMANDS,
    handlers,
  });
  const { ON_LOST_WRITES: action } = context.config;
  context.loss.onLoss(() => services.events.send({ name: 'database.writes-lost', data: { action } }));
  measureKeys(context);
  measureBacklog(context);
  measureQueue(context, { queue: topology.deadLetters, label: 'dead-letters' });
  broker.start();
  const scheduler = startScheduler(jobs, services);
  void scheduler.catchUp();
  return {
    stop: async () => {
      await Promise.all([commands.stop(), scheduler.stop()]);
    },
  };
}
