import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Answer } from '../support/client.ts';
import { RecoveryError } from './fault.ts';

/** Counts of requests by result: `lost` are replies that never came, `failed` are answers of 500 and above. */
export type CallCounts = { sent: number; lost: number; byStatus: Map<number, number>; failed: string[] };

/** A client of several API replicas. It tries another one after a lost reply or when a replica is not available. */
export type Caller = {
  counts: CallCounts;
  /**
   * Repeats the request until an answer decides it. `attempts` above 1 means that earlier attempts may have been carried
   * out too. Fails when nothing answers for five minutes.
   */
  send: (method: string, path: string, body?: unknown) => Promise<{ answer: Answer; attempts: number }>;
  /** Adds a replica. */
  add: (url: string) => void;
  /** Stops calls to a replica, as a load balancer does before the replica ends. */
  remove: (url: string) => void;
};

const LIMIT_MS = 300_000;

/** Calls the replicas in turn, with one token. */
export function createCaller(urls: string[], token: string): Caller {
  let replicas = urls.map((url) => ({ url, client: createClient(url, token, { isUnchecked: true }) }));
  const counts: CallCounts = { sent: 0, lost: 0, byStatus: new Map(), failed: [] };
  let turn = 0;
  const once = async (method: string, path: string, body: unknown): Promise<Answer | undefined> => {
    counts.sent += 1;
    turn += 1;
    try {
      const headers = { prefer: 'respond-async' };
      const answer = await replicas[turn % replicas.length]?.client.call(method, path, body, { headers });
      if (answer) counts.byStatus.set(answer.status, (counts.byStatus.get(answer.status) ?? 0) + 1);
      if (answer && answer.status >= 500)
        counts.failed.push(`${method} ${path} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
      return answer;
    } catch {
      counts.lost += 1;
      return undefined;
    }
  };
  return {
    counts,
    add(url) {
      replicas.push({ url, client: createClient(url, token, { isUnchecked: true }) });
    },
    remove(url) {
      replicas = replicas.filter((one) => one.url !== url);
    },
    async send(method, path, body) {
      const end = Date.now() + LIMIT_MS;
      for (let attempts = 1; ; attempts += 1) {
        const answer = await once(method, path, body);
        if (answer && answer.status < 500) return { answer, attempts };
        if (Date.now() > end)
          throw new RecoveryError(`no decision on ${method} ${path}: ${answer?.status} ${answer?.text}`);
        await sleep(Math.min(1000, 50 * attempts));
      }
    },
  };
}
