import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/vercel-env/connector.ts';
import { destination } from '../../services/connectors/vercel-env/destination.ts';
import type { Fake } from '../sandbox/contract.ts';
import type { Starter } from './sealift.ts';

/** A hosting-project worker in the test's process, on a stand-in. */
export function vercelWorker(fake: Fake): Starter {
  const environment = (name: string) => (name === 'HOSTING_PROJECT_API_URL' ? fake.url : undefined);
  return (context) => startConnectorWorker(context, { destination, connector }, { environment });
}
