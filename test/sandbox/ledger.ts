import type { Call } from './contract.ts';

// Drops the older half at this size, so that a long benchmark does not fill the memory.
const MOST_CALLS = 400_000;

export type Ledger = ReturnType<typeof createLedger>;

/** Keeps every call in order of arrival, including those that never got a reply. */
export function createLedger() {
  let calls: Call[] = [];
  let underWay = 0;
  let highest = 0;
  let refused = 0;

  return {
    /** Records a call. Returns the function that ends it; a second call of that function does nothing. */
    begin(operation: string, target: string | null): (status: number) => void {
      underWay += 1;
      highest = Math.max(highest, underWay);
      const call: Call = {
        at: Date.now(),
        operation,
        target,
        status: 0,
        durationMs: 0,
        concurrent: underWay,
      };
      const startedAt = performance.now();
      let ended = false;
      if (calls.length >= MOST_CALLS) calls = calls.slice(MOST_CALLS / 2);
      calls.push(call);

      return (status) => {
        if (ended) return;
        ended = true;
        underWay -= 1;
        call.status = status;
        call.durationMs = performance.now() - startedAt;
      };
    },
    countRefused() {
      refused += 1;
    },
    calls: () => calls.map((call) => ({ ...call })),
    highest: () => highest,
    refused: () => refused,
    clear() {
      calls = [];
      highest = underWay;
      refused = 0;
    },
  };
}
