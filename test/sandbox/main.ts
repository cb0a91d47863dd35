import { rename, writeFile } from 'node:fs/promises';
import type { Fake } from './fake-server.ts';
import { fakes } from './fakes.ts';

// The sandbox process: runs all fakes. Each one is controlled over HTTP below its `/_sandbox/`.
const started: Fake[] = [];
const addresses: Record<string, { url: string; [detail: string]: string }> = {};
for (const [type, start] of Object.entries(fakes)) {
  const fake = await start();
  started.push(fake);
  addresses[type] = { ...fake.details, url: fake.url };
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await Promise.all(started.map((fake) => fake.close()));
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());

const text = JSON.stringify(addresses);
const file = process.env['SANDBOX_FILE'];
if (file) {
  // Renames the file into place, so that a reader never sees half of it.
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
}
process.stdout.write(`${text}\n`);
