import { runService } from '../service/run-service.ts';
import type { Connector, Destination } from './contract.ts';
import { startConnectorWorker } from './engine/worker.ts';

/** Runs one worker process of a destination type until it is told to stop. */
export async function runConnector(destination: Destination, connector: Connector): Promise<void> {
  await runService(`connector-${destination.type}`, (context) =>
    startConnectorWorker(context, { destination, connector }),
  );
}
