import { CommandError, exitCodes } from '../exit-codes.ts';
import type { Client } from '../client/http.ts';

// Numbers keep every digit, so they are no numbers of JavaScript.
type Status = { workers: { name: string; running: unknown }[] | null };

/** The connectors that destinations need and of which none runs. Empty if nobody knows, or if the token may not ask. */
export async function findIdleWorkers(client: Client): Promise<string[]> {
  try {
    const { data } = await client.call('GET', 'sys/status');
    return ((data as Status).workers ?? [])
      .filter(({ name, running }) => name.startsWith('connector ') && Number(running) === 0)
      .map(({ name }) => name);
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === exitCodes.denied) return [];
    throw error;
  }
}
