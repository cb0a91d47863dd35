import { Type } from 'typebox';
import { badRequest } from '../../libs/errors/request-error.ts';
import type { CommandHandler } from '../../libs/queue/commands.ts';
import { readClock } from '../../libs/store/maintenance/jobs.ts';
import { createValidator } from '../../libs/validation/validator.ts';
import { auditChanges } from './audited-changes.ts';
import type { JobRun, MaintenanceServices } from './job.ts';
import { rotateKey, trimKeys } from './keys.ts';

const checkBody = createValidator(Type.Object({ requestId: Type.String() }));

/** The commands of the API. Each answers after its change is committed, so every replica's JWKS shows the change. */
export function createCommandHandlers(services: MaintenanceServices): Record<string, CommandHandler> {
  const command = (
    name: string,
    act: (run: Pick<JobRun, 'services' | 'now' | 'change'>) => Promise<object>,
  ) => {
    return async (body: unknown) => {
      const checked = checkBody(body);
      if ('faults' in checked) throw badRequest('the command is malformed');
      const now = await readClock(services.db);
      const changes = auditChanges(services.db, { name: `command ${name}`, at: now, ...checked.value });
      try {
        const done = await act({ services, now, change: changes.change });
        await changes.end('succeeded', { ...done });
        return done;
      } catch (error) {
        await changes.end('failed', {});
        throw error;
      }
    };
  };
  return {
    'rotate-key': command('rotate-key', async (run) => ({
      added: await rotateKey({ ...run, onlyIfDue: false }),
    })),
    'trim-key': command('trim-key', async (run) => ({
      removed: await trimKeys({ ...run, onlyIfDue: false }),
    })),
  };
}
