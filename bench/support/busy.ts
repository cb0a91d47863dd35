import { cpus } from 'node:os';

/** Starts to watch the machine's CPUs. The returned function returns the busy share since then, 0 to 1. */
export function watchProcessors(): () => number {
  const before = sum();
  return () => {
    const after = sum();
    const total = after.total - before.total;
    return total === 0 ? 0 : 1 - (after.idle - before.idle) / total;
  };
}

function sum(): { idle: number; total: number } {
  const times = cpus().map((processor) => processor.times);
  return {
    idle: times.reduce((all, { idle }) => all + idle, 0),
    total: times.reduce((all, { user, nice, sys, idle, irq }) => all + user + nice + sys + idle + irq, 0),
  };
}
