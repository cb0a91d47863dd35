import type { Database } from '../db/connect.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Broker } from '../queue/broker.ts';

/** The figures of tarn, the pool inside Knex. */
type Pool = { numUsed: () => number; numFree: () => number; numPendingAcquires: () => number; max: number };

type Watched = { metrics: Metrics; db: Database; broker: Broker };

/** Registers the readings of every process: its connection pool, and whether it has a broker. */
export function watchContext({ metrics, db, broker }: Watched): void {
  metrics.read(['poolConnections', 'poolWaiting'], () => {
    const { pool } = db.client as { pool?: Pool };
    if (!pool) return;
    metrics.poolConnections.set({ state: 'used' }, pool.numUsed());
    metrics.poolConnections.set({ state: 'free' }, pool.numFree());
    metrics.poolConnections.set({ state: 'limit' }, pool.max);
    metrics.poolWaiting.set(pool.numPendingAcquires());
  });
  metrics.read(['brokerConnected'], () => metrics.brokerConnected.set(broker.ready ? 1 : 0));
}
