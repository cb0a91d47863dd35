import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import { runCommand } from '../cli/support.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { KeyServiceFake } from '../sandbox/key-services/contract.ts';
import { startProcess, type ServiceProcess } from './child-process.ts';
import { createClient, type Client } from './client.ts';
import { eventually } from './eventually.ts';
import { cloud1Environment, cloud1Settings } from './sandboxed.ts';
import { startSealift } from './sealift.ts';
import { createSyncDriver } from './sync-driver.ts';

export const API = 'programs/api/main.js';
export const WORKER = 'programs/connectors/main.js cloud1-sm';

/** An installation that started with a plain master key, and the same key wrapped by a key service. */
export type WrappedInstallation = Awaited<ReturnType<typeof startWrappedInstallation>>;

/** It has a destination and the secret `db`; the plain key sealed the first version of it. Undo: `stop`. */
export async function startWrappedInstallation(keys: KeyServiceFake) {
  const store = await startCloud1SmFake();
  const sealift = await startSealift();
  const plain = sealift.environment['SEALIFT_MASTER_KEY'] ?? '';
  const driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
  await driver.configure(cloud1Settings());
  await driver.write('db', { v: 'first' });
  await driver.associate('db');
  const wrapped = await wrapBy(keys, plain);
  const running: ServiceProcess[] = [];
  let count = 0;

  /** The environment of a process with the wrapped key. */
  const environment = (more: Record<string, string> = {}): Record<string, string> => ({
    ...sealift.environment,
    ...cloud1Environment(store),
    ...keys.environment,
    LOG_LEVEL: 'debug',
    SEALIFT_MASTER_KEY: wrapped,
    ...more,
  });
  // A graceful stop: a killed worker could hold its claims until their leases end.
  async function endAll(): Promise<void> {
    for (const one of running.splice(0)) await one.kill('SIGTERM');
  }
  return {
    plain,
    wrapped,
    running,
    environment,
    endAll,
    /** Starts an API and a worker with these settings. Returns a client of the API. */
    async startBoth(more: Record<string, string> = {}): Promise<Client> {
      const port = String(await choosePort(undefined));
      for (const program of [API, WORKER])
        running.push(await startProcess(program, environment({ ...more, PORT: port })));
      return createClient(`http://127.0.0.1:${port}`, sealift.token);
    },
    /** Checks that the first version can be read, and that a new version reaches the store. */
    async expectWhole(client: Client): Promise<void> {
      const read = await client.get('/v1/secret/data/db?version=1');
      expect(read.body.data.data, read.text).to.deep.equal({ v: 'first' });
      count += 1;
      const data = { v: `written ${count}` };
      expect((await client.post('/v1/secret/data/db', { data })).status).to.equal(200);
      await eventually(() => store.entries()[0]?.value === JSON.stringify(data));
    },
    async stop(): Promise<void> {
      await endAll();
      await sealift.stop();
      await store.close();
    },
  };
}

/** Wraps a plain master key with a key service, using the command line. */
export async function wrapBy(keys: KeyServiceFake, plain: string): Promise<string> {
  const words = ['master-key', 'wrap', '--with', keys.address, '--stdin'];
  const { stdout, stderr } = await runCommand(words, keys.environment, plain);
  expect(stderr).to.equal('');
  return stdout.trim();
}
