import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The folder with `initdb` and `postgres`: Debian's, or one on the search path. Undefined if there is none. */
export function findPostgres(): string | undefined {
  const debian = listFolder('/usr/lib/postgresql')
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => `/usr/lib/postgresql/${version}/bin`);
  const onPath = searchPath().map((folder) => resolveFolder(folder, 'postgres'));
  return [...debian, ...onPath].find(
    (folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')),
  );
}

/** The broker's start script, and the Erlang port mapper that it needs. */
export interface RabbitmqBinaries {
  readonly server: string;
  readonly portMapper: string;
}

/** Both programs of RabbitMQ; undefined if one is missing. */
export function findRabbitmq(): RabbitmqBinaries | undefined {
  // Debian's script in sbin switches the user and resets the environment, so the real script behind it comes first.
  const servers = ['/usr/lib/rabbitmq/bin', ...searchPath()]
    .filter((folder) => folder !== '/usr/sbin' && folder !== '/sbin')
    .map((folder) => join(folder, 'rabbitmq-server'));
  const erlang = ['/usr/lib/erlang', '/usr/lib64/erlang', '/usr/local/lib/erlang'].flatMap((root) =>
    listFolder(root)
      .filter((name) => name.startsWith('erts-'))
      .map((name) => join(root, name, 'bin')),
  );
  const server = servers.find(isExecutable);
  const portMapper = [...searchPath(), ...erlang].map((folder) => join(folder, 'epmd')).find(isExecutable);
  return server && portMapper ? { server, portMapper } : undefined;
}

/** The browser for the tests: CHROMIUM_PATH, else Debian's or one on the search path. Undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .map(findProgram)
    .find(Boolean);
}

/** The full path of a program on the search path; undefined if it is missing. */
export function findProgram(name: string): string | undefined {
  return searchPath()
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function searchPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders, '/usr/local/sbin', '/opt/homebrew/sbin', '/usr/sbin', '/sbin'];
}

function resolveFolder(folder: string, program: string): string {
  try {
    return dirname(realpathSync(join(folder, program)));
  } catch {
    return folder;
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
