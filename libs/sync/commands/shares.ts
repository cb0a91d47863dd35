import { unavailable } from '../../errors/request-error.ts';
import type { Session } from '../../connector/contract.ts';
import type { Engine } from '../engine.ts';
import { askInTime } from '../push/call-limit.ts';
import type { DraftSettings } from '../sessions.ts';

// A worker runs a limited number of commands, and those about one store that hangs must not take them all.
const MOST_OF_DESTINATION = 8;
// Each draft opens a session of its own, and a store that hangs keeps it for seconds.
const MOST_DRAFTS = 8;
// The part of the caller's time limit that a draft may take; the rest is for the way there and back.
const SHARE_OF_TIME = 0.9;

/** Does some work about one destination. */
export type InShare = <Result>(destinationId: number, work: () => Promise<Result>) => Promise<Result>;

/** Throws 503 if too many commands about the destination are running. */
export function createShares(): InShare {
  const running = new Map<number, number>();
  return async (destinationId, work) => {
    const count = running.get(destinationId) ?? 0;
    if (count >= MOST_OF_DESTINATION)
      throw unavailable(
        'this destination is being asked many times at once: try again in a moment; nothing was done',
      );
    running.set(destinationId, count + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(destinationId) ?? 1) - 1;
      if (left > 0) running.set(destinationId, left);
      else running.delete(destinationId);
    }
  };
}

/** Uses a session of a draft, and closes it. */
export type WithDraft = <Result>(
  draft: DraftSettings,
  use: (session: Session) => Promise<Result>,
) => Promise<Result>;

/** Throws 503 if too many drafts are open. */
export function createDraftOpener(engine: Engine): WithDraft {
  const { COMMAND_TIMEOUT } = engine.context.config;
  let open = 0;
  return async (draft, use) => {
    if (open >= MOST_DRAFTS)
      throw unavailable('too many drafts of destinations are being checked: try again in a moment');
    open += 1;
    try {
      return await askInTime(COMMAND_TIMEOUT * SHARE_OF_TIME, engine.stop, async () => {
        const session = await engine.sessions.openDraft(draft);
        try {
          return await use(session);
        } finally {
          await session.close?.();
        }
      });
    } finally {
      open -= 1;
    }
  };
}
