import pLimit from 'p-limit';
import { unavailable } from '../../libs/errors/request-error.ts';

/** Holds a conversation with a server outside; throws 503 at once where as many are held as may be. */
export type Conversations = <Result>(hold: () => Promise<Result>) => Promise<Result>;

/** `most` at a time: fewer than the worker's commands, so that slow servers leave room for changes that need none. */
export function createConversations(most: number): Conversations {
  const limit = pLimit(most);
  return async (hold) => {
    if (limit.activeCount >= most)
      throw unavailable('too many mail and SMS servers are being waited for; nothing was changed');
    return limit(hold);
  };
}
