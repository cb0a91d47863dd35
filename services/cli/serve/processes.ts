import type { Connector } from '../../../libs/connector/contract.ts';
import { startParts } from '../../../libs/service/parts.ts';
import { connectorPart, runConnector } from '../../../libs/sync/worker.ts';
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

/** Runs the API and all workers in this process, with connectors of these types, until it is stopped. */
export async function serveOneProcess(types: string[]): Promise<void> {
  const [{ startApi }, { startSettingsWorker }, { startKeyMaintenance }] = await Promise.all([
    import('../../api/start.ts'),
    import('../../settings/start.ts'),
    import('../../key-maintenance/start.ts'),
  ]);
  const others = [
    { name: 'settings', start: startSettingsWorker },
    { name: 'key-maintenance', start: startKeyMaintenance },
    ...catalog
      .filter(({ type }) => types.includes(type))
      .map((destination) => connectorPart(destination, onFirstUse(destination.type))),
  ];
  await runService('api', (context) => startParts(context, { first: startApi, others }));
}

// The SDK of a vendor takes memory from the first call to one of its stores on.
function onFirstUse(type: string): Connector {
  return {
    open: async (settings, context) => {
      const connector = await loadConnector(type);
      if (!connector) throw new Error(`no connector of the type ${type}`);
      return connector.open(settings, context);
    },
  };
}

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
