import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/vercel-env/connector.ts';
import { destination } from '../../services/connectors/vercel-env/destination.ts';
import type { Fake } from '../sandbox/contract.ts';
import type { Starter } from './sealift.ts';

/** Settings that the stand-in for hosting-project accepts, with the name of a secret as the name of its variable. */
export function vercelSettings(...environments: string[]): Record<string, unknown> {
  return {
    access_token: 'vcp_valid',
    project_id: 'prj_web',
    deployment_environments: environments,
    secret_name_template: '{{ .SecretBaseName | uppercase }}',
    granularity: 'secret-path',
  };
}

/** A hosting-project worker in the test's process, on a stand-in. */
export function vercelWorker(fake: Fake): Starter {
  const environment = (name: string) => (name === 'HOSTING_PROJECT_API_URL' ? fake.url : undefined);
  return (context) => startConnectorWorker(context, { destination, connector }, { environment });
}
