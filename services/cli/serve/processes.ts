import { runConnector } from '../../../libs/sync/worker.ts';
import { runService } from '../../../libs/service/run-service.ts';
import { catalog, findDestinationType, loadConnector } from '../../connectors/catalog.ts';
import { CommandError } from '../exit-codes.ts';

/** The types whose connectors can be served. */
export const connectorTypes = catalog.map(({ type }) => type);

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
  if (type !== undefined) return type;
  throw new CommandError(
    'notFound',
    `there is no destination type ${name.trim()}; the types are ${connectorTypes.join(', ')}`,
  );
}

/** Runs a connector worker of a type until it is told to stop. Throws CommandError 3 for an unknown type. */
export async function serveConnector(name: string): Promise<void> {
  const type = requireType(name);
  const destination = findDestinationType(type);
  const connector = await loadConnector(type);
  if (destination && connector) await runConnector(destination, connector);
}
