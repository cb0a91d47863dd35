/** The shapes of the engine: what is planned for an order, what is written, and what comes of it. */

import type { SourceValue } from '../connector/source-values.ts';
import type { Cause, LedgerEntry, WorkOrder } from '../store/orders/order.ts';
import type { Attempt, EntryResult } from '../store/orders/result.ts';
import type { Trace } from '../tracing/trace.ts';

/** The named moments of a push, in order; a fault test ends or delays the process at one of them. */
export type Checkpoint =
  'before-claim' | 'after-claim' | 'after-call' | 'before-store' | 'after-store' | 'before-ack';

/**
 * What a push needs to know: when the lease of its orders ends, its trace, and whether it may call the store: not once the
 * store has asked to wait, or the whole destination has failed.
 */
export type Lease = { deadline: number; trace: Trace | undefined; mayCall: () => boolean };

/** A value and the name of its external entry. */
export type NamedValue = SourceValue & {
  fingerprint: string;
  bytes: number;
  name: string;
  nameKey: string;
  /** The ledger's row of that name; undefined until it is reserved. */
  entry: LedgerEntry | undefined;
};

/** A value that cannot be written now, for a reason that a person must fix. */
export type RefusedKey = {
  subKey: string;
  name: string;
  code: string;
  message: string;
  /** `recheck`: another association may fix it. */
  retry: 'never' | 'recheck';
};

/** The desired values of an order, compared with the ledger. */
export type PlanComparison = Readonly<{
  /** The values that must be outside. */
  targets: readonly NamedValue[];
  refused: readonly RefusedKey[];
  /** Ledger rows that no value needs any more. */
  leftover: readonly LedgerEntry[];
}>;

export type ComparedOrder = PlanComparison & Readonly<{ order: WorkOrder }>;

/** What one push is going to do for an order. Nobody changes it: what comes of it is in outcomes. */
export type Plan = Readonly<{
  order: WorkOrder;
  /** Every value has its row in the ledger. Otherwise nothing is written or removed. */
  isReserved: boolean;
  /** The values whose names are reserved. */
  writes: readonly Write[];
  refused: readonly RefusedKey[];
  /** Ledger rows that no value needs any more. */
  leftover: readonly LedgerEntry[];
  /** What is certain before any call: that values are refused, or why there is nothing to write. */
  outcomes: readonly StepOutcome[];
}>;

/** One value to write to one entry, whose name we have reserved. */
export type Write = Readonly<
  NamedValue & {
    order: WorkOrder;
    /** The ledger's row as it was when the order was claimed. */
    entry: LedgerEntry;
    valueChanged: boolean;
    /** The store accepts the credentials again that it refused before. */
    isAccepted?: boolean;
    /** All tags wanted on the entry; empty for stores without tags. */
    tags: Record<string, string>;
    /** Idempotency token: the same for the same association, generation, name and value. */
    token: string;
  }
>;

/** What one step of a push came to, mostly for one entry. A step returns it, and `push.ts` alone collects it. */
export type StepOutcome = Readonly<{
  /** What the ledger is to say of the entry. */
  entry?: EntryResult;
  /** The line for the history. */
  attempt?: Attempt;
  failure?: Failure;
  /** Something was left for later: time ran out, the store asked us to wait, the destination is held back, or the process stops. */
  isLeft?: boolean;
  /** The store has answered, so it accepts the credentials that it may have refused before. */
  isAccepted?: boolean | undefined;
  /** Milliseconds until the uncertain entry must be written again; see `confirmsInMs`. */
  confirmInMs?: number | null;
}>;

/** A plan, and what has come of it so far. */
export type PushProgress = Readonly<{ plan: Plan; outcomes: readonly StepOutcome[] }>;

/** What an error means for the attempt: the `cause` that users see, and whether and when to try again. */
export type Failure = {
  cause: Cause;
  /**
   * `never`: no retry until something changes in this service. `slow`: somebody may fix it outside. `recheck`: another
   * association of this service may fix it. `backoff`: it is temporary. `wait`: the store said how long to wait.
   */
  retry: 'never' | 'slow' | 'recheck' | 'backoff' | 'wait';
  waitMs: number;
  /** The whole destination fails, not only one entry. */
  wholeDestination: boolean;
  /** The call may have had its effect although it failed. */
  ambiguous: boolean;
  /** We gave the call up: the store or a proxy may still carry it out, even after a later call. */
  mayLandLate: boolean;
};
