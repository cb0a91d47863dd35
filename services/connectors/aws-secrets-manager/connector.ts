import type { Connector } from '../../../libs/connector/contract.ts';
import { checkPermissions } from './check.ts';
import { createInvoke } from './client.ts';
import { createDeletions } from './deletions.ts';
import type { destination } from './destination.ts';
import { putEntry } from './put.ts';
import { readEntry } from './read.ts';
import { removeEntry } from './remove.ts';
import { retagEntry } from './retag.ts';

/** AWS Secrets Manager through its own SDK. An update is one call, a creation is one call. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const tools = {
      invoke: createInvoke(settings, context),
      installation: context.installation,
      settings,
      deletions: createDeletions(),
    };
    return {
      check: (signal, name) => checkPermissions(tools, name, signal),
      read: (entry, signal) => readEntry(tools, entry, signal),
      put: (entry, signal) => putEntry(tools, entry, signal),
      retag: (entry, signal) => retagEntry(tools, entry, signal),
      remove: (entry, signal) => removeEntry(tools, entry, signal),
    };
  },
};
