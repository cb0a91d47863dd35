import type { WriteLimit } from './contract.ts';

export type LimitGate = ReturnType<typeof createLimitGate>;

/** Counts accepted writes over a sliding window. Like vendors do, it does not count refused ones. */
export function createLimitGate(initial: WriteLimit | undefined) {
  let limit = initial;
  let accepted: number[] = [];

  return {
    set(next: WriteLimit | undefined) {
      limit = next;
      accepted = [];
    },
    /** Seconds to wait if the write must be refused; undefined if it may pass. */
    refuse(now: number): number | undefined {
      if (!limit) return undefined;
      const since = now - limit.perMs;
      accepted = accepted.filter((time) => time > since);
      const oldest = accepted[0];
      if (accepted.length < limit.writes || oldest === undefined) {
        accepted.push(now);
        return undefined;
      }
      return Math.max(1, Math.ceil((oldest + limit.perMs - now) / 1000));
    },
  };
}
