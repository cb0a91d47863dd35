import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findRabbitmq } from '../../deploy/local/binaries.ts';

const LIMIT_MS = 15_000;

/** Asks a RabbitMQ node, started below a directory, for the leader of each queue. Throws if it does not answer. */
export async function findLeaders(asked: {
  directory: string;
  node: string;
  mapper: number;
}): Promise<Map<string, string>> {
  const tool = join(dirname(findRabbitmq()?.server ?? ''), 'rabbitmqctl');
  const env = {
    PATH: process.env['PATH'],
    HOME: join(asked.directory, 'home'),
    ERL_EPMD_PORT: String(asked.mapper),
    RABBITMQ_NODENAME: asked.node,
    RABBITMQ_CONF_ENV_FILE: join(asked.directory, 'absent'),
  };
  const words = ['--quiet', 'list_queues', 'name', 'leader', '--formatter', 'json'];
  const { stdout } = await promisify(execFile)(tool, words, { env, timeout: LIMIT_MS });
  const rows = JSON.parse(stdout) as { name: string; leader: string }[];
  return new Map(rows.map(({ name, leader }) => [name, leader]));
}
