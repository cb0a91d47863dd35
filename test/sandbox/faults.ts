import type { Fault } from './contract.ts';

type Armed = { fault: Fault; left: number };

export type FaultList = ReturnType<typeof createFaultList>;

function fits(fault: Fault, operation: string, target: string | null): boolean {
  if (fault.target !== undefined && fault.target !== target) return false;
  if (fault.operation === undefined) return true;
  return Array.isArray(fault.operation) ? fault.operation.includes(operation) : fault.operation === operation;
}

/** Holds the faults in the order they were added. The first one that matches a call hits it. */
export function createFaultList() {
  let armed: Armed[] = [];
  const waiting: (() => void)[] = [];

  return {
    add(fault: Fault) {
      armed.push({ fault, left: fault.times ?? Infinity });
    },
    take(kinds: ReadonlySet<string>, operation: string, target: string | null): Fault | undefined {
      const hit = armed.find(({ fault }) => kinds.has(fault.kind) && fits(fault, operation, target));
      if (!hit) return undefined;
      hit.left -= 1;
      if (hit.left <= 0) armed = armed.filter((other) => other !== hit);
      return hit.fault;
    },
    /** The faults that still hit calls; `times`: how many. */
    list: (): Fault[] =>
      armed.map(({ fault, left }) => (left === Infinity ? fault : { ...fault, times: left })),
    isEmpty: () => armed.length === 0,
    /** Resolves at the next clearing of the faults. */
    cleared: () => new Promise<void>((resolve) => waiting.push(resolve)),
    clear() {
      armed = [];
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}
