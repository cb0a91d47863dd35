import { runConnector } from '../../../libs/sync/worker.ts';
import { runService } from '../../../libs/service/run-service.ts';
import { catalog, findDestinationType, loadConnector } from '../../connectors/catalog.ts';
import { CommandError } from '../exit-codes.ts';

/** The types that have a connector to run. */
export const connectorTypes = catalog.map(({ type }) => type);

/** Runs a process of one kind until it is stopped. */
export const processes = {
  api: async () => runService('api', (await import('../../api/start.ts')).startApi),
  settings: async () => runService('settings', (await import('../../settings/start.ts')).startSettingsWorker),
  'key-maintenance': async () =>
    runService('key-maintenance', (await import('../../key-maintenance/start.ts')).startKeyMaintenance),
};

/** The type's own name; the given name may be an alias. Throws CommandError 3 for an unknown type. */
export function requireType(name: string): string {
  const type = findDestinationType(name.trim())?.type;
  if (type !== undefined) return type;
  throw new CommandError(
    'notFound',
    `there is no destination type ${name.trim()}; the types are ${connectorTypes.join(', ')}`,
  );
}

/** Runs a connector worker of a type until it is stopped. Throws CommandError 3 for an unknown type. */
export async function serveConnector(name: string): Promise<void> {
  const type = requireType(name);
  const destination = findDestinationType(type);
  const connector = await loadConnector(type);
  if (destination && connector) await runConnector(destination, connector);
}
