import { createServer } from 'node:http';
import pg from 'pg';

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
};

/** Where the floor runs: beside an installation of Sealift, on its database and its broker. */
export const surroundings = {
  port: Number(process.env['PORT'] ?? 0),
  masterKey: Buffer.from(required('SEALIFT_MASTER_KEY'), 'base64'),
  pool: new pg.Pool({ connectionString: required('DATABASE_URL'), max: 10 }),
  commands: { url: required('AMQP_URL'), queue: `${required('AMQP_PREFIX')}.command.floor` },
};

/** Says that the process is ready, as the start of a process expects it. */
export function sayReady(): void {
  createServer((_, answer) => answer.end()).listen(Number(required('HEALTH_PORT')), '127.0.0.1');
}
