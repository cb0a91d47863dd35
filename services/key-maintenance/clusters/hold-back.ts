import { ClusterError } from './call.ts';

// Calls to a cluster that hangs must not take up the commands of this worker, which others need.
const SLOW_MS = 2000;
const PAUSE_MS = 10_000;

type Standing = { running: number; slowUntil: number };

const clusters = new Map<string, Standing>();

/** Makes a call, unless the last one took long and another one is under way. Throws ClusterError then. */
export async function holdBack<Result>(host: string, call: () => Promise<Result>): Promise<Result> {
  forgetPast();
  const standing = clusters.get(host) ?? { running: 0, slowUntil: 0 };
  if (standing.running > 0 && standing.slowUntil > performance.now())
    throw new ClusterError('unavailable', 'the API server of the cluster answers too slowly');
  clusters.set(host, standing);
  standing.running += 1;
  const began = performance.now();
  try {
    return await call();
  } finally {
    const ended = performance.now();
    standing.running -= 1;
    standing.slowUntil = ended - began > SLOW_MS ? ended + PAUSE_MS : 0;
  }
}

function forgetPast(): void {
  for (const [host, { running, slowUntil }] of clusters)
    if (running === 0 && slowUntil <= performance.now()) clusters.delete(host);
}
