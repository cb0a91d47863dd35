import { createDepthReader } from '../queue/depth.ts';
import { readBacklog } from '../store/orders/backlog.ts';
import type { Context } from './context.ts';

/** Reads for every scrape which associations wait: of one type, or of all, so that a type without any worker is seen too. */
export function watchBacklog({ metrics, db }: Context, type?: string): void {
  metrics.read(['oldestDue', 'due', 'throttledDestinations'], async () => {
    const backlogs = await readBacklog(db, type);
    // A worker whose type has no destination yet says that nothing waits.
    if (type !== undefined && backlogs.length === 0) {
      backlogs.push({ type, due: 0, oldestSeconds: 0, throttledDestinations: 0 });
    }
    for (const backlog of backlogs) {
      metrics.oldestDue.set({ type: backlog.type }, backlog.oldestSeconds);
      metrics.due.set({ type: backlog.type }, backlog.due);
      metrics.throttledDestinations.set({ type: backlog.type }, backlog.throttledDestinations);
    }
  });
}

/** Reads for every scrape how many messages wait in a queue that is declared already; `label` is its name without the prefix. Register before the broker starts. */
export function watchQueue({ metrics, broker }: Context, options: { queue: string; label: string }): void {
  const readDepth = createDepthReader(broker, options.queue);
  metrics.read(['queueMessages'], async () => {
    metrics.queueMessages.set({ queue: options.label }, await readDepth());
  });
}
