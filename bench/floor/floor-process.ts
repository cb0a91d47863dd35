import { preciseNow } from '../support/statistics.ts';
import { clients } from './clients/index.ts';
import type { Client, Settings, Write } from './clients/client.ts';
import { drain } from './drain.ts';
import type { FloorResult, FloorTask } from './floor.ts';
import { openStatements, type Statements } from './statements.ts';

// The floor: the three statements by plain pg and hand-made calls, in a process like the worker's and without any code of
// Sealift.
const opened = new Map<string, { client: Client; writes: Map<string, Write> }>();
const databases = new Map<string, Statements>();

process.on('message', (task: FloorTask & { id: number }) => {
  carryOut(task).then(
    (result) => process.send?.({ id: task.id, result }),
    (error: unknown) => process.send?.({ id: task.id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, result: null });

async function carryOut(task: FloorTask): Promise<FloorResult> {
  const { type, databaseUrl, destinations, concurrency } = task;
  const { client, writes } = openType(task);
  for (const [id, settings] of destinations) {
    if (!writes.has(String(id))) writes.set(String(id), await client.open(settings as Settings));
  }
  const statements = databases.get(databaseUrl) ?? openStatements(databaseUrl);
  databases.set(databaseUrl, statements);
  const begun = preciseNow();
  const work = { destinations: [...destinations.keys()], statements, writes, concurrency };
  await drain({ ...work, batchSize: client.batchSize });
  return { begun };

  function openType({ installation }: FloorTask): { client: Client; writes: Map<string, Write> } {
    const key = `${type} ${databaseUrl} ${concurrency}`;
    const load = clients[type];
    if (!load) throw new Error(`no client for ${type}`);
    const known = opened.get(key) ?? { client: load({ installation, concurrency }), writes: new Map() };
    opened.set(key, known);
    return known;
  }
}
