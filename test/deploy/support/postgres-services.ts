import { execFile, spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '../../../deploy/local/binaries.ts';
import { choosePort } from '../../../deploy/local/ports.ts';
import { recordProcess } from '../../../deploy/local/processes.ts';
import { projectRoot } from '../../../deploy/local/root.ts';
import { findUnprivilegedUser, makeFolderOf } from '../../../deploy/local/unprivileged.ts';
import { eventually } from '../../support/eventually.ts';
import { makePrivateFolder } from '../../support/private-folder.ts';
import type { ComposeService } from './compose-files.ts';

const scripts = join(projectRoot, 'deploy/container');
const READY_LIMIT_MS = 60_000;

// What the entrypoint of the Postgres image does: without data it creates a database and runs the scripts that are mounted
// for this. The listening address and the port stand for the container's own network, whose hosts count as remote.
const ENTRYPOINT = `#!/bin/sh
set -eu
sockets=$(dirname "$PGDATA")
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >"$sockets/password"
  initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile "$sockets/password" --auth-local trust --auth-host scram-sha-256 --no-sync
  printf '%s\\n' 'local all all trust' 'host all all all scram-sha-256' >"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "-c listen_addresses='' -k $sockets -c fsync=off" start
  psql -h "$sockets" -U "$POSTGRES_USER" -d postgres -c "CREATE DATABASE $POSTGRES_DB"
  sh "$sockets/postgres-replication.sh"
  pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec "$@" -c listen_addresses="$NODE" -c port="$PGPORT" -c unix_socket_directories= -c fsync=off
`;
const TOOLS = { 'docker-entrypoint.sh': ENTRYPOINT, hostname: '#!/bin/sh\necho "$NODE"\n' };

/** The servers of Postgres of a compose file. */
export type PostgresServices = {
  /** The address of each server, by its host name. All use one port. */
  addresses: Map<string, string>;
  port: number;
  /** Starts one like its container. Resolves when its health check succeeds. */
  start: (name: string, service: ComposeService) => Promise<void>;
  discard: () => Promise<void>;
};

/** Prepares servers with these host names on this machine, with our scripts of the containers. Undo: `discard`. */
export async function createPostgresServices(names: string[]): Promise<PostgresServices> {
  const { directory, discard } = makePrivateFolder('compose');
  const user = findUnprivilegedUser();
  const port = await choosePort(undefined);
  const addresses = new Map(names.map((name, index) => [name, `127.0.1.${index + 1}`]));
  return {
    addresses,
    port,
    discard,
    async start(name, { command = [], environment = {}, healthcheck }) {
      const address = addresses.get(name) ?? '';
      const place = join(directory, name, 'data');
      makeFolderOf(user, place);
      for (const script of ['postgres-node', 'postgres-replication.sh'])
        copyFileSync(join(scripts, script), join(place, script));
      for (const [tool, text] of Object.entries(TOOLS))
        writeFileSync(join(place, tool), text, { mode: 0o755 });
      const nodes = environment['POSTGRES_NODES']?.split(' ').map((node) => addresses.get(node) ?? node);
      const env = {
        ...environment,
        PATH: [place, findPostgres(), process.env['PATH']].join(':'),
        PGDATA: join(place, 'pgdata'),
        PGPORT: String(port),
        NODE: address,
        POSTGRES_NODES: nodes?.join(' '),
      };
      const child = spawn(join(place, 'postgres-node'), command, {
        ...user,
        cwd: place,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      if (child.pid !== undefined)
        recordProcess({ directory: join(directory, name), name: 'postgres', pid: child.pid });
      const [, program = '', ...words] = healthcheck?.test ?? [];
      const check = (): Promise<unknown> => {
        if (child.exitCode !== null) return Promise.resolve('over');
        const here = words.map((word) => (word === '127.0.0.1' ? address : word));
        return promisify(execFile)(program, here, { env }).then(() => 'healthy');
      };
      const found = await eventually(check, { limitMs: READY_LIMIT_MS, everyMs: 100 });
      if (found !== 'healthy') throw new Error(`${name} ended: ${output}`);
    },
  };
}
