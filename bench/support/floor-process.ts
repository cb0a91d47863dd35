import { randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { PutEntry, Session } from '../../libs/connector/contract.ts';
import { preciseNow } from './statistics.ts';
import { storeOf } from './stores.ts';
import type { FloorTask } from './floor.ts';

// The floor: the vendor's SDK called in a bare loop, in a process like the worker's, with nothing around it.
const never = new AbortController().signal;
setMaxListeners(0, never);
const open = new Map<string, Promise<Session>>();

process.on('message', (task: FloorTask & { id: number }) => {
  carryOut(task).then(
    (result) => process.send?.({ id: task.id, result }),
    (error: unknown) => process.send?.({ id: task.id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, result: null });

async function carryOut(task: FloorTask): Promise<{ milliseconds: number; begun: number[] }> {
  const sessions = await Promise.all(task.settings.map((settings) => sessionFor(task, settings)));
  const size = storeOf(task.type).destination.batchSize ?? 1;
  const begun: number[] = [];
  let next = 0;
  const started = performance.now();
  const run = async (): Promise<void> => {
    while (next < task.entries.length) {
      const start = next;
      next += size;
      const session = sessions[start % sessions.length];
      if (!session) return;
      const chunk = task.entries.slice(start, start + size).map(fresh);
      begun.push(preciseNow());
      await write(session, chunk);
      if (task.pauseMs) await new Promise((resolve) => setTimeout(resolve, task.pauseMs));
    }
  };
  await Promise.all(Array.from({ length: task.concurrency }, run));
  return { milliseconds: performance.now() - started, begun };
}

async function write(session: Session, entries: PutEntry[]): Promise<void> {
  if (session.putMany && entries.length > 1) {
    const results = await session.putMany(entries, never);
    const failed = results.find((result) => result instanceof Error);
    if (failed) throw failed;
    return;
  }
  for (const entry of entries) await session.put(entry, never);
}

function fresh({ name, reference }: FloorTask['entries'][number]): PutEntry {
  const value = JSON.stringify({ password: randomBytes(16).toString('hex') });
  return { name, reference, value, tags: {}, expect: 'present', token: randomUUID() };
}

function sessionFor({ type, installation }: FloorTask, settings: Record<string, unknown>): Promise<Session> {
  const key = JSON.stringify([type, settings]);
  const known = open.get(key);
  if (known) return known;
  const session = Promise.resolve(
    storeOf(type).connector.open(settings, {
      installation,
      callTimeoutMs: 10_000,
      environment: (name) => process.env[name] || undefined,
      egressAllow: ['127.0.0.0/8', 'localhost'],
    }),
  );
  open.set(key, session);
  return session;
}
