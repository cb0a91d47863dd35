import { randomBytes } from 'node:crypto';
import type { FloorResult, FloorTask } from './floor.ts';
import { sdks } from './sdk/index.ts';
import type { Settings, Write } from './sdk/write.ts';
import { preciseNow } from './statistics.ts';

// The floor: the vendor's SDK in a bare loop, one call per secret, in a process like the worker's and without any code
// of Sealift.
const open = new Map<string, Promise<Write>>();

process.on('message', (task: FloorTask & { id: number }) => {
  carryOut(task).then(
    (result) => process.send?.({ id: task.id, result }),
    (error: unknown) => process.send?.({ id: task.id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, result: null });

async function carryOut(task: FloorTask): Promise<FloorResult> {
  const writes = await Promise.all(task.settings.map((settings) => writeFor(task.type, settings)));
  const begun: number[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < task.entries.length) {
      const entry = task.entries[next];
      const write = writes[next % writes.length];
      next += 1;
      if (!entry || !write) return;
      const value = JSON.stringify({ password: randomBytes(16).toString('hex') });
      begun.push(preciseNow());
      await write(entry, value);
      if (task.pauseMs) await new Promise((resolve) => setTimeout(resolve, task.pauseMs));
    }
  };
  await Promise.all(Array.from({ length: task.concurrency }, run));
  return { begun };
}

function writeFor(type: string, settings: Record<string, unknown>): Promise<Write> {
  const key = JSON.stringify([type, settings]);
  const known = open.get(key) ?? openSdk(type, settings);
  open.set(key, known);
  return known;
}

async function openSdk(type: string, settings: Record<string, unknown>): Promise<Write> {
  const load = sdks[type];
  if (!load) throw new Error(`no SDK for ${type}`);
  return (await load()).open(settings as Settings);
}
