import { choosePort } from '../../deploy/local/ports.ts';
import { startProcess } from './child-process.ts';
import { createClient, type Client } from './client.ts';
import type { Sealift } from './sealift.ts';

/** Starts another API whose clock is two days ahead, with a client of the root token. Undo: `stop`. */
export async function startReplicaAhead(
  sealift: Sealift,
): Promise<{ client: Client; stop: () => Promise<void> }> {
  const port = String(await choosePort(undefined));
  const clock = new URL('clock-ahead.js', import.meta.url);
  const replica = await startProcess('programs/api/main.js', {
    ...sealift.environment,
    PORT: port,
    NODE_OPTIONS: `--import ${clock.href}`,
  });
  return {
    client: createClient(`http://127.0.0.1:${port}`, sealift.token),
    stop: () => replica.kill(),
  };
}
