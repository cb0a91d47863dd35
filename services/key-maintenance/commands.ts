import type { HandlersOf } from '../../libs/commands/commands.ts';
import { readClock } from '../../libs/store/maintenance/jobs.ts';
import { auditChanges } from './audited-changes.ts';
import { matchNamespace } from './clusters/match-namespace.ts';
import { reviewToken } from './clusters/review.ts';
import { tryCluster } from './clusters/try.ts';
import type { JobRun, MaintenanceServices } from './job.ts';
import { rotateKey, trimKeys } from './keys.ts';
import { tryKeySet } from './key-sets/try.ts';
import { testWebhook } from './notify/test-webhook.ts';

/** The commands of the API. Each answers after its change is committed, so every replica's JWKS shows the change. */
export function createMaintenanceHandlers(services: MaintenanceServices): HandlersOf<'key-maintenance'> {
  const command = <Result extends Record<string, unknown>>(
    name: string,
    act: (run: Pick<JobRun, 'services' | 'now' | 'change'>) => Promise<Result>,
  ) => {
    return async ({ requestId }: { requestId: string }): Promise<Result> => {
      const now = await readClock(services.db);
      const changes = auditChanges(services.db, { name: `command ${name}`, at: now, requestId });
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
    'fetch-key-set': ({ source }) => tryKeySet(services, source),
    'match-namespace': (request) => matchNamespace(services, request),
    'review-token': (request) => reviewToken(services, request),
    'rotate-key': command('rotate-key', async (run) => ({
      added: await rotateKey({ ...run, onlyIfDue: false }),
    })),
    'test-webhook': (body) => testWebhook(services, body),
    'try-cluster': (request) => tryCluster(services, request),
    'trim-key': command('trim-key', async (run) => ({
      removed: await trimKeys({ ...run, onlyIfDue: false }),
    })),
  };
}
