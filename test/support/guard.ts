import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { discardServers } from '../../deploy/local/servers.ts';

// The input ends when the test run ends, however it ends. A run that ended normally has already removed its folder.
const directory = process.argv[2];
process.stdin.resume();
process.stdin.on('error', () => undefined);
process.stdin.on('close', () => {
  if (directory) void cleanUp(directory);
});

/** Runs twice, because a server that was just starting may write its record a moment later. */
async function cleanUp(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await discardServers(folder);
  await sleep(1000);
  await discardServers(folder);
}
