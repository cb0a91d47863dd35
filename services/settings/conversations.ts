import { unavailable } from '../../libs/errors/request-error.ts';

/** Holds a conversation with a server outside; throws 503 at once where as many are held as may be. */
export type Conversations = <Result>(hold: () => Promise<Result>) => Promise<Result>;

/** `most` at a time: fewer than the worker's commands, so that slow servers leave room for changes that need none. */
export function createConversations(most: number): Conversations {
  let held = 0;
  return async (hold) => {
    if (held >= most)
      throw unavailable('too many mail and SMS servers are being waited for; nothing was changed');
    held += 1;
    try {
      return await hold();
    } finally {
      held -= 1;
    }
  };
}
