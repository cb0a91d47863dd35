import type { Connector, EntryKey } from '../../../libs/connector/contract.ts';
import { checkPermissions } from './check.ts';
import { openConnection, projectChanged } from './connection.ts';
import type { destination } from './destination.ts';
import { putEntry } from './put.ts';
import { findOwner, readEntry } from './read.ts';
import { projectOf } from './reference.ts';
import { removeEntry } from './remove.ts';
import { retagEntry } from './retag.ts';
import type { Tools } from './tools.ts';
import { createUnsettled } from './unsettled.ts';

/** Google Cloud Secret Manager through its own SDK, over REST. */
export const connector: Connector<(typeof destination)['settings']> = {
  async open(settings, context) {
    const { invoke, projectId, close } = await openConnection(settings, context);
    const { installation } = context;
    const tools: Tools = { invoke, projectId, installation, settings, unsettled: createUnsettled() };
    // The file may have been replaced while nobody had it open: what the ledger holds is not what has the name here.
    const here = async <Entry extends EntryKey>(entry: Entry): Promise<Entry> => {
      const project = entry.reference === null ? null : projectOf(entry.reference);
      if (project !== null && project !== projectId) throw projectChanged();
      return entry;
    };
    return {
      check: (signal, name) => checkPermissions(tools, name, signal),
      read: async (entry, signal) => readEntry(tools, await here(entry), signal),
      findOwner: async (entry, signal) => findOwner(tools, await here(entry), signal),
      put: async (entry, signal) => putEntry(tools, await here(entry), signal),
      retag: async (entry, signal) => retagEntry(tools, await here(entry), signal),
      remove: async (entry, signal) => removeEntry(tools, await here(entry), signal),
      close,
    };
  },
};
