import { createDepthReader } from '../queue/depth.ts';
import { readBacklog } from '../store/counts/backlog.ts';
import type { Context } from './context.ts';

/**
 * Counts waiting associations at each scrape: of one type, or of all types, so that a type without any worker is seen
 * too.
 */
export function measureBacklog({ metrics, db }: Context, type?: string): void {
  metrics.read(['oldestDue', 'due', 'throttledDestinations'], async () => {
    const backlogs = await readBacklog(db, type);
    // A worker whose type has no destination yet reports that nothing waits.
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

/**
 * Reads at each scrape how many messages wait in a queue that is already declared; `label` is its name without the
 * prefix. Register it before the broker starts.
 */
export function measureQueue({ metrics, broker }: Context, options: { queue: string; label: string }): void {
  const readDepth = createDepthReader(broker, options.queue);
  metrics.read(['queueMessages'], async () => {
    metrics.queueMessages.set({ queue: options.label }, await readDepth());
  });
}
