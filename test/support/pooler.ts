import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../deploy/local/binaries.ts';
import { ensureBinaries } from '../../deploy/local/install.ts';
import { choosePort } from '../../deploy/local/ports.ts';
import { startProcess } from '../../deploy/local/processes.ts';
import { findUnprivilegedUser, makeFolderOf } from '../../deploy/local/unprivileged.ts';
import { makePrivateFolder } from './private-folder.ts';

/** A PgBouncer before the server of a URL. `urlOf` leads to the same database through it. Undo: `discard`. */
export type Pooler = { urlOf: (url: string) => string; discard: () => Promise<void> };

/** Starts the pooler of the Debian package with its usual settings; `more` are further lines of its configuration. */
export async function startPooler(options: {
  url: string;
  mode: 'transaction' | 'session' | 'statement';
  more?: string[];
}): Promise<Pooler> {
  ensureBinaries({ postgres: false, rabbitmq: false, pgbouncer: true });
  const command = findProgram('pgbouncer');
  if (!command) throw new Error('there is no pgbouncer');
  const { directory, discard } = makePrivateFolder('poolers');
  try {
    const user = findUnprivilegedUser();
    const folder = join(directory, 'pgbouncer');
    makeFolderOf(user, folder);
    const server = new URL(options.url);
    const port = await choosePort(undefined);
    const write = (name: string, lines: string[]): string => {
      const file = join(folder, name);
      writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
      if (user) chownSync(file, user.uid, user.gid);
      return file;
    };
    const users = write('users.txt', [`"${server.username}" "${server.password}"`]);
    const file = write('pgbouncer.ini', [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      `pool_mode = ${options.mode}`,
      'default_pool_size = 10',
      'max_client_conn = 200',
      'ignore_startup_parameters = extra_float_digits',
      ...(options.more ?? []),
    ]);
    await startProcess({
      directory: folder,
      name: 'pgbouncer',
      command,
      arguments: [file],
      environment: { PATH: process.env['PATH'] },
      user,
    });
    const urlOf = (url: string): string => {
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String(port);
      return through.href;
    };
    return { urlOf, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
