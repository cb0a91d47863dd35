import type { Destination, Session } from '../connector/contract.ts';
import type { Database } from '../db/connect.ts';
import type { Context } from '../service/context.ts';
import type { Step } from './order.ts';
import type { Sessions } from './sessions.ts';

/** What the pieces of a connector worker share. */
export type EngineParts = {
  context: Context;
  /** Used only to store results: its statements do not wait long for a row that another transaction locks. */
  resultsDb: Database;
  destination: Destination;
  sessions: Sessions;
  /** True once the process is stopping. The engine then begins no new call and hands waiting orders back. */
  draining: () => boolean;
  /** Aborted when the process must end its running calls at once. */
  stop: AbortSignal;
  /** Notifies all workers of the type that a destination has more work than this worker takes at once. */
  notifyWorkers: (destinationId: number) => void;
  /** Called at each step; does nothing in production. */
  step: (step: Step) => Promise<void>;
};

/** What the steps of a push need. */
export type PushTools = {
  parts: EngineParts;
  session: Session;
  /** Makes a call under the time limit of the orders' lease. */
  run: <Result>(call: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
  outOfTime: () => boolean;
};
