import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LIMIT_MS = 15_000;

/** Asks a RabbitMQ node, started below a directory, for the leader of each queue. Throws if it does not answer. */
export async function findLeaders(directory: string): Promise<Map<string, string>> {
  const words = ['--quiet', 'list_queues', 'name', 'leader', '--formatter', 'json'];
  const { stdout } = await promisify(execFile)(join(directory, 'rabbitmqctl'), words, { timeout: LIMIT_MS });
  const rows = JSON.parse(stdout) as { name: string; leader: string }[];
  return new Map(rows.map(({ name, leader }) => [name, leader]));
}
