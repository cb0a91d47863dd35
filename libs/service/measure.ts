import type { Database } from '../db/connect.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Broker } from '../queue/broker.ts';

/** The figures of tarn, the pool inside Knex. */
type Pool = { numUsed: () => number; numFree: () => number; numPendingAcquires: () => number; max: number };

/** Registers the reading of a connection pool. */
export function measurePool({ metrics, db }: { metrics: Metrics; db: Database }): void {
  metrics.read(['poolConnections', 'poolWaiting'], () => {
    const { pool } = db.client as { pool?: Pool };
    if (!pool) return;
    metrics.poolConnections.set({ state: 'used' }, pool.numUsed());
    metrics.poolConnections.set({ state: 'free' }, pool.numFree());
    metrics.poolConnections.set({ state: 'limit' }, pool.max);
    metrics.poolWaiting.set(pool.numPendingAcquires());
  });
}

/** Registers the reading whether a service has a broker. */
export function measureBroker({ metrics, broker }: { metrics: Metrics; broker: Broker }): void {
  metrics.read(['brokerConnected'], () => metrics.brokerConnected.set(broker.ready ? 1 : 0));
}
