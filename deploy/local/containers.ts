import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LocalFailure } from './failure.ts';
import { choosePort } from './ports.ts';
import { projectRoot } from './root.ts';
import { readState, writeState } from './state.ts';

/** A service of `compose.yaml` beside this file. */
export type ContainerName = 'postgres' | 'rabbitmq';

const urls = {
  postgres: (password: string, port: number) => `postgres://sealift:${password}@127.0.0.1:${port}/postgres`,
  rabbitmq: (password: string, port: number) => `amqp://sealift:${password}@127.0.0.1:${port}`,
};

/** True if a docker engine answers; a docker client alone is not enough. */
export function hasContainerEngine(): boolean {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** Starts one server in a container of this directory's own project. Returns its URL. A volume keeps the data. */
export async function startContainer(options: { directory: string; name: ContainerName }): Promise<string> {
  const file = stateFile(options.directory);
  const state = readState(file);
  const password =
    typeof state['password'] === 'string' ? state['password'] : randomBytes(24).toString('hex');
  const isRunning = compose(options.directory, state, ['ps', '-q', options.name]).trim() !== '';
  const port = isRunning ? Number(state[options.name]) : await choosePort(state[options.name]);
  // Reads the state again: the other server may have started while we looked for a port.
  writeState(file, { ...readState(file), password, [options.name]: port });
  compose(options.directory, readState(file), ['up', '-d', '--wait', options.name]);
  return urls[options.name](password, port);
}

/** Stops the containers of a directory, and removes their volumes with `removeData`. True if there were any. */
export function stopContainers(directory: string, options: { removeData: boolean }): boolean {
  if (!existsSync(stateFile(directory))) return false;
  compose(directory, readState(stateFile(directory)), ['down', ...(options.removeData ? ['--volumes'] : [])]);
  return true;
}

function compose(directory: string, state: Record<string, unknown>, words: readonly string[]): string {
  const project = `sealift-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
  const file = join(projectRoot, 'deploy/local/compose.yaml');
  try {
    return execFileSync('docker', ['compose', '-p', project, '-f', file, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 600_000,
      env: {
        ...process.env,
        SEALIFT_PASSWORD: text(state['password']),
        SEALIFT_POSTGRES_PORT: text(state['postgres']),
        SEALIFT_RABBITMQ_PORT: text(state['rabbitmq']),
      },
    });
  } catch (error) {
    throw new LocalFailure(`docker compose ${words.join(' ')} failed: ${String(error)}`);
  }
}

function stateFile(directory: string): string {
  return join(directory, 'containers.json');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
