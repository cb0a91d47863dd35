import { cpus } from 'node:os';

/** Begins to watch the machine's processors; the returned function says which share of them was busy since. */
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
