import type { Destination } from '../../../libs/connector/contract.ts';
import { startParts } from '../../../libs/service/parts.ts';
import { connectorPart, runConnector } from '../../../libs/sync/worker.ts';
import { runService } from '../../../libs/service/run-service.ts';
import { catalog, connectorOf, findDestinationType } from '../../connectors/catalog.ts';
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
      .map((destination) => connectorPart(destination, connectorOf(destination))),
  ];
  await runService('api', (context) => startParts(context, { first: startApi, others }));
}

/** The type of that name or alias. Throws CommandError 3 for an unknown one. */
export function requireType(name: string): Destination {
  const type = findDestinationType(name.trim());
  if (type) return type;
  throw new CommandError(
    'notFound',
    `there is no destination type ${name.trim()}; the types are ${connectorTypes.join(', ')}`,
  );
}

/** Runs a connector worker of a type until it is stopped. Throws CommandError 3 for an unknown type. */
export async function serveConnector(name: string): Promise<void> {
  const destination = requireType(name);
  await runConnector(destination, connectorOf(destination));
}
