import { randomUUID } from 'node:crypto';
import type { Connector } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { createClient } from './client.ts';
import type { destination } from './destination.ts';
import { failures } from './failures.ts';
import { Project, type OpenStore } from './project.ts';
import { environmentsGained, environmentsLost, isWrittenForThese, putEntries } from './put.ts';
import { readEntry, surveyEntries } from './read.ts';
import { removeEntry } from './remove.ts';

/** Vercel project variables through its own SDK: any number of changed variables goes out in one call. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const client = createClient(settings, context);
    const store: OpenStore = {
      project: new Project(client, settings),
      settings,
      installation: context.installation,
    };
    return {
      check: (signal) => checkAccess(store, signal),
      read: (entry, signal) => readEntry(store, entry, signal),
      survey: (signal) => surveyEntries(store, signal),
      async put(entry, signal) {
        const [result = failures.fail('unexpected_answer')] = await putEntries(store, [entry], signal);
        if (result instanceof ConnectorError) throw result;
        return result;
      },
      putMany: (entries, signal) => putEntries(store, entries, signal),
      isOutdated: (entry) => !isWrittenForThese(store, entry),
      removedFrom: ({ reference }) => environmentsLost(store, reference),
      addedTo: ({ reference }) => environmentsGained(store, reference),
      remove: (entry, signal) => removeEntry(store, entry, signal),
      close: client.close,
    };
  },
};

// Lists the variables, which proves token, team and project. Then deletes an id that cannot exist, because only a write
// shows whether the token may write.
async function checkAccess({ project }: OpenStore, signal: AbortSignal): Promise<void> {
  const { requireAll } = await project.list(signal);
  requireAll();
  await project.remove(`sealift-check-${randomUUID()}`, signal);
}
