import type { Connector } from '../../../libs/connector/contract.ts';
import { checkPermissions } from './check.ts';
import { openVault } from './client.ts';
import type { destination } from './destination.ts';
import { putEntry } from './put.ts';
import { findOwner, readEntry } from './read.ts';
import { removeEntry } from './remove.ts';
import { retagEntry } from './retag.ts';
import type { Tools } from './secret-state.ts';

/** Azure Key Vault through its own SDK. A write is one call, whether it creates or updates. */
export const connector: Connector<(typeof destination)['settings']> = {
  open(settings, context) {
    const { invoke, close } = openVault(settings, context);
    const { installation, callTimeoutMs } = context;
    const tools: Tools = { invoke, settings, installation, callTimeoutMs };
    return {
      check: (signal) => checkPermissions(tools, signal),
      read: (entry, signal) => readEntry(tools, entry, signal),
      findOwner: (entry, signal) => findOwner(tools, entry, signal),
      put: (entry, signal) => putEntry(tools, entry, signal),
      retag: (entry, signal) => retagEntry(tools, entry, signal),
      remove: (entry, signal) => removeEntry(tools, entry, signal),
      close,
    };
  },
};
