import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/github-secrets/connector.ts';
import { destination } from '../../services/connectors/github-secrets/destination.ts';
import type { Fake } from '../sandbox/contract.ts';
import type { Starter } from './sealift.ts';

/** A repo-host worker in the test's process, on a stand-in. */
export function githubWorker(fake: Fake): Starter {
  const environment = (name: string) => (name === 'REPO_HOST_API_URL' ? fake.url : undefined);
  return (context) => startConnectorWorker(context, { destination, connector }, { environment });
}
