import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/vercel-env/connector.ts';
import { destination } from '../../services/connectors/vercel-env/destination.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startHostingProjectFake, type HostingProjectFake } from '../sandbox/vercel-env/fake.ts';
import { startSealift, type Sealift, type Starter } from './sealift.ts';
import { createSyncDriver, type SyncDriver } from './sync-driver.ts';

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

/** A stand-in for hosting-project with its worker, and a driver of a destination there that is not configured yet. */
export async function openVercelScene(): Promise<VercelScene> {
  const fake = await startHostingProjectFake();
  const sealift = await startSealift();
  await sealift.start('hosting', vercelWorker(fake));
  const close = async (): Promise<void> => {
    await sealift.stop();
    await fake.close();
  };
  return { fake, sealift, driver: createSyncDriver(sealift, 'hosting-project', 'site'), close };
}

export type VercelScene = {
  fake: HostingProjectFake;
  sealift: Sealift;
  driver: SyncDriver;
  close: () => Promise<void>;
};
