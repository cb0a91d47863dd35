import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { discardServers } from '../../deploy/local/servers.ts';

// The input ends when the test run ends, by whatever means; a run that ended well has removed its folder already.
const directory = process.argv[2];
process.stdin.resume();
process.stdin.on('error', () => undefined);
process.stdin.on('close', () => {
  if (directory) void cleanUp(directory);
});

/** Twice, since a server that was just being started may write itself down a moment later. */
async function cleanUp(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await discardServers(folder);
  await sleep(1000);
  await discardServers(folder);
}
