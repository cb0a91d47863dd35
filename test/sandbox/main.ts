import { rename, writeFile } from 'node:fs/promises';
import type { Fake } from './fake-server.ts';
import { fakes } from './fakes.ts';
import { settingsFor } from './what-to-type.ts';

// The sandbox process: runs all fakes. Each one is controlled over HTTP below its `/_sandbox/`.
const started: Fake[] = [];
const addresses: Record<string, { url: string; [detail: string]: string }> = {};
const settings: Record<string, Record<string, unknown>> = {};
for (const [type, start] of Object.entries(fakes)) {
  const fake = await start();
  started.push(fake);
  addresses[type] = { ...fake.details, url: fake.url };
  settings[type] = settingsFor(type, fake);
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await Promise.all(started.map((fake) => fake.close()));
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());

// Renames a file into place, so that a reader never sees half of it.
async function write(file: string | undefined, content: string): Promise<void> {
  if (!file) return;
  await writeFile(`${file}.${process.pid}`, content, { mode: 0o600 });
  await rename(`${file}.${process.pid}`, file);
}

const text = JSON.stringify(addresses);
await write(process.env['SANDBOX_SETTINGS_FILE'], JSON.stringify(settings, null, 2));
// The last one: whoever sees it takes the stand-ins as ready.
await write(process.env['SANDBOX_FILE'], text);
process.stdout.write(`${text}\n`);
