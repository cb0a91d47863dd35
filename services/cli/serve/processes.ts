import type { Connector } from '../../../libs/connector/contract.ts';
import { runConnector } from '../../../libs/connector/run.ts';
import { runService } from '../../../libs/service/run-service.ts';
import { findDestinationType } from '../../connectors/catalog.ts';
import { CommandError } from '../exit-codes.ts';

// Only what is served is loaded: a vendor's SDK takes up to a second and hundreds of megabytes.
const connectors: Record<string, () => Promise<{ connector: Connector }>> = {
  'cloud1-sm': () => import('../../connectors/cloud1-sm/connector.ts'),
  'cloud2-kv': () => import('../../connectors/cloud2-kv/connector.ts'),
  'cloud3-sm': () => import('../../connectors/cloud3-sm/connector.ts'),
  'hosting-project': () => import('../../connectors/hosting-project/connector.ts'),
  'repo-host': () => import('../../connectors/repo-host/connector.ts'),
};

/** The types whose connectors can be served. */
export const connectorTypes = Object.keys(connectors);

/** Runs a process of a kind until it is told to stop. */
export const processes = {
  api: async () => runService('api', (await import('../../api/start.ts')).startApi),
  settings: async () => runService('settings', (await import('../../settings/start.ts')).startSettingsWorker),
  'key-maintenance': async () =>
    runService('key-maintenance', (await import('../../key-maintenance/start.ts')).startKeyMaintenance),
};

/** The own name of a type that a connector is served for. Throws CommandError 3 for an unknown one. */
export function requireType(name: string): string {
  const type = findDestinationType(name.trim())?.type;
  if (type !== undefined && connectors[type]) return type;
  throw new CommandError(
    'notFound',
    `there is no destination type ${name.trim()}; the types are ${connectorTypes.join(', ')}`,
  );
}

/** Runs a connector worker of a type until it is told to stop. Throws CommandError 3 for an unknown type. */
export async function serveConnector(name: string): Promise<void> {
  const type = requireType(name);
  const destination = findDestinationType(type);
  const loaded = await connectors[type]?.();
  if (destination && loaded) await runConnector(destination, loaded.connector);
}
