import type { Context } from '../service/context.ts';
import { runService, type Service } from '../service/run-service.ts';
import type { Connector, Destination } from '../connector/contract.ts';
import { startConnectorWorker } from './worker.ts';

// An SDK leaves much garbage at each call: cleaned up seldomer, it leaves more of the core for calls.
const HEAP_GROWTH_PERCENT = 100;

/** Runs one worker process of a destination type until it is told to stop. */
export async function runConnector(destination: Destination, connector: Connector): Promise<void> {
  const start = (context: Context): Promise<Service> =>
    startConnectorWorker(context, { destination, connector });
  await runService(`connector-${destination.type}`, start, { heapGrowthPercent: HEAP_GROWTH_PERCENT });
}
