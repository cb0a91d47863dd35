import type { Database } from '../db/connect.ts';
import type { Context } from '../service/context.ts';
import type { Destination } from '../connector/contract.ts';
import type { RoomFinder } from './push/room.ts';
import type { Sessions } from './sessions/sessions.ts';

/** The named steps of a push, in order; a fault test ends or delays the process at one of them. */
export type Step =
  'before-claim' | 'after-claim' | 'after-call' | 'before-store' | 'after-store' | 'before-ack';

/** What the pieces of a connector worker share. */
export type EngineParts = {
  context: Context;
  /** For results alone: its statements do not wait long for a row that somebody holds. */
  resultsDb: Database;
  destination: Destination;
  sessions: Sessions;
  findRoom: RoomFinder;
  /** True once the process is stopping: no new call is begun, what waits is handed back. */
  draining: () => boolean;
  /** Aborted when the process must end what is in flight now. */
  stop: AbortSignal;
  /** Tells all workers of the type that a destination has more work than this one takes at once. */
  notifyWorkers: (destinationId: number) => void;
  /** Called at each step; does nothing in production. */
  step: (step: Step) => Promise<void>;
};
