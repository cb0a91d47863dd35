import type { Destination, Session } from '../connector/contract.ts';
import type { Database } from '../db/connect.ts';
import type { Context } from '../service/context.ts';
import type { Checkpoint, Lease } from './order.ts';
import type { CapacityFinder } from './capacity.ts';
import type { Sessions } from './sessions.ts';

/** What the pieces of a connector worker share. */
export type Engine = {
  context: Context;
  /** Used only to store results: its statements do not wait long for a row that another transaction locks. */
  resultsDb: Database;
  destination: Destination;
  sessions: Sessions;
  /** What containers have left, if the type has such a limit. */
  findCapacity: CapacityFinder;
  /** Whether claimed work of a destination may still be pushed. One statement answers for all that ask meanwhile. */
  mayStillPush: (destinationId: number) => Promise<boolean>;
  /** Aborted once the process is stopping. The engine then begins no new call and hands waiting orders back. */
  drain: AbortSignal;
  /** Aborted when the process must end its running calls at once. */
  stop: AbortSignal;
  /** Called at each checkpoint; does nothing in production. */
  checkpoint: (checkpoint: Checkpoint) => Promise<void>;
};

/** One push under way: what its steps work with. */
export type PushRun = { engine: Engine; session: Session; lease: Lease };

/** The same during a call, which ends when `signal` is aborted. */
export type CallRun = PushRun & { signal: AbortSignal };
