import { expect } from 'chai';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';
import { vercelWorker } from '../../support/vercel-worker.ts';
import { openConsoleScene, type ConsoleScene } from './scene.ts';

/** A console with a stand-in for hosting-project. `driver`: of its destination `site`. Undo: `close`. */
export type VercelConsole = {
  scene: ConsoleScene;
  fake: HostingProjectFake;
  driver: SyncDriver;
  close: () => Promise<void>;
};

/** `secrets`: what the destination `site` is linked to, in sync; by their paths. */
export async function openVercelConsole(
  settings: Record<string, unknown>,
  secrets: Record<string, Record<string, string>>,
): Promise<VercelConsole> {
  const fake = await startHostingProjectFake();
  const scene = await openConsoleScene();
  await scene.sealift.start('hosting', vercelWorker(fake));
  const driver = createSyncDriver(scene.sealift, 'hosting-project', 'site');
  expect((await driver.configure(settings)).status).to.equal(200);
  for (const [path, data] of Object.entries(secrets)) {
    await driver.write(path, data);
    await driver.associate(path);
    await driver.settles(path, 'SYNCED');
  }
  const close = async (): Promise<void> => {
    await scene.close();
    await fake.close();
  };
  return { scene, fake, driver, close };
}
