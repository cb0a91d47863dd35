import { startConnectorWorker, type WorkerOptions } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/aws-secrets-manager/connector.ts';
import { destination } from '../../services/connectors/aws-secrets-manager/destination.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { startSealift, type Sealift, type SealiftOptions, type Starter } from './sealift.ts';
import { createSyncDriver, type SyncDriver } from './sync-driver.ts';

/** Settings that the stand-in for cloud1-sm accepts. Each region is a separate store. */
export function cloud1Settings(region = 'eu-west-1'): Record<string, unknown> {
  return {
    access_key_id: 'AKIAEXAMPLEONE',
    secret_access_key: 'a-secret-key',
    region,
    secret_name_template: '{{ .SecretPath }}',
  };
}

/** Environment variables that lead a cloud1-sm worker in its own process to a stand-in. */
export function cloud1Environment(fake: Fake): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: fake.url,
    AWS_ENDPOINT_URL_STS: fake.url,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

/** A stand-in for cloud1-sm and a destination for it, without a worker. */
export async function openCloud1Scene({
  environment = {},
  settings = {},
  ...options
}: Pick<SealiftOptions, 'environment' | 'through'> & { settings?: object } = {}): Promise<Cloud1Scene> {
  const fake = await startCloud1SmFake();
  const sealift = await startSealift({ environment, ...options });
  const driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
  const answer = await driver.configure({ ...cloud1Settings(), ...settings });
  if (answer.status !== 200) throw new Error(answer.text);
  const close = async (): Promise<void> => {
    await sealift.stop();
    await fake.close();
  };
  return { fake, sealift, driver, close };
}

/** The same with a worker, and with the secret `one` linked and in sync. */
export async function openLinkedScene(): Promise<Cloud1Scene> {
  const scene = await openCloud1Scene();
  await scene.sealift.start('worker', cloud1Worker(scene.fake));
  await scene.driver.write('one', { user: 'app' });
  await scene.driver.associate('one');
  await scene.driver.settles('one', 'SYNCED');
  return scene;
}

export type Cloud1Scene = {
  fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  sealift: Sealift;
  driver: SyncDriver;
  close: () => Promise<void>;
};

/** A cloud1-sm worker in the test's process. */
export function cloud1Worker(fake: Fake, options: Omit<WorkerOptions, 'environment'> = {}): Starter {
  const environment = cloud1Environment(fake);
  return (context) =>
    startConnectorWorker(
      context,
      { destination, connector },
      { ...options, environment: (name) => environment[name] },
    );
}
