import pLimit from 'p-limit';
import { unavailable } from '../../libs/errors/request-error.ts';

/** Runs a conversation with an external server; throws 503 at once if too many are running. */
export type Conversations = <Result>(hold: () => Promise<Result>) => Promise<Result>;

/**
 * `most` is lower than the worker's number of commands, so that slow servers leave room for changes that need no server.
 */
export function createConversations(most: number): Conversations {
  const limit = pLimit(most);
  return async (hold) => {
    if (limit.activeCount >= most)
      throw unavailable('too many calls to mail and SMS servers are in progress; nothing was changed');
    return limit(hold);
  };
}
