import type { Connector } from '../../../libs/connector/contract.ts';
import { checkPermissions } from './check.ts';
import { openConnection } from './connection.ts';
import type { destination } from './destination.ts';
import { putEntry } from './put.ts';
import { readEntry } from './read.ts';
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
    return {
      check: (signal) => checkPermissions(tools, signal),
      read: (entry, signal) => readEntry(tools, entry, signal),
      put: (entry, signal) => putEntry(tools, entry, signal),
      retag: (entry, signal) => retagEntry(tools, entry, signal),
      remove: (entry, signal) => removeEntry(tools, entry, signal),
      close,
    };
  },
};
