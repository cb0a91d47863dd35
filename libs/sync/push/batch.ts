import { performance } from 'node:perf_hooks';
import { ConnectorError } from '../../connector/errors.ts';
import { recordSynced } from './attempt.ts';
import { failWrite, isUnchanged, logged, type PushTask, type PushTools } from './task.ts';
import { putEntry } from './write-entry.ts';

/**
 * Writes what can go out together in as few calls as the store allows, and returns the tasks that need a call of their
 * own: those a store without batches has, and those whose entry turned out to be taken or gone.
 */
export async function writeBatch(tasks: PushTask[], tools: PushTools): Promise<PushTask[]> {
  const { putMany } = tools.session;
  const size = tools.parts.destination.batchSize ?? 1;
  if (!putMany || size < 2) return tasks;
  const suited = tasks.filter((item) => item.task.valueChanged && !isUnchanged(item, tools.session));
  const alone = new Set(tasks.filter((item) => !suited.includes(item)));
  for (let start = 0; start < suited.length; start += size) {
    const chunk = suited.slice(start, start + size);
    if (tools.outOfTime()) {
      for (const { prepared } of chunk) prepared.attempt.unfinished = true;
      continue;
    }
    for (const item of await writeChunk(chunk, putMany, tools)) alone.add(item);
  }
  return tasks.filter((item) => alone.has(item));
}

async function writeChunk(
  chunk: PushTask[],
  putMany: NonNullable<PushTools['session']['putMany']>,
  tools: PushTools,
): Promise<PushTask[]> {
  const started = performance.now();
  const entries = chunk.map(({ task, held }) => putEntry(task, held ? 'present' : 'absent'));
  const elapsed = (): number => performance.now() - started;
  try {
    const results = await tools.run((signal) => putMany(entries, signal));
    return chunk.filter((item, index) => {
      const result = results[index];
      if (result instanceof ConnectorError) {
        if (result.kind === 'exists' || result.kind === 'missing') return true;
        failWrite(item, item.held, logged(result, tools.parts), elapsed(), tools);
      } else if (result) {
        const outcome = {
          action: item.held ? ('update' as const) : ('create' as const),
          tags: item.task.tags,
          ownerSeen: !item.held,
          durationMs: elapsed(),
          ...result,
        };
        recordSynced(item.prepared.attempt, item.wanted, outcome, tools.parts.context.config.LEASE);
      }
      return false;
    });
  } catch (error) {
    for (const item of chunk) failWrite(item, item.held, logged(error, tools.parts), elapsed(), tools);
    return [];
  }
}
