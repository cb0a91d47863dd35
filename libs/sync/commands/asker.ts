import { performance } from 'node:perf_hooks';
import type { Session } from '../../connector/contract.ts';
import type { Cause } from '../../store/orders/order.ts';
import type { Engine } from '../engine.ts';
import { askInTime } from '../push/call-limit.ts';
import { toLoggedFailure } from '../push/failure.ts';

// The part of the caller's time limit in which a store is asked; the rest is for a new session and the way there and back.
const SHARE_OF_TIME = 0.75;

const OUT_OF_TIME: Cause = {
  class: 'EXTERNAL_SERVICE_ERROR',
  code: 'timed_out',
  message: 'the store did not answer in time; verify again to check the remaining entries',
};

type Told<Answer> = { found: Answer } | { cause: Cause };
/** Asks a store something. */
export type StoreAsker = <Answer>(call: (signal: AbortSignal) => Promise<Answer>) => Promise<Told<Answer>>;

/** Asks one store within the time limit of a command. After a time-out or a failure of the whole destination, it asks no further question. */
export function createAsker(engine: Engine): StoreAsker {
  const { CALL_TIMEOUT, COMMAND_TIMEOUT } = engine.context.config;
  const end = performance.now() + COMMAND_TIMEOUT * SHARE_OF_TIME;
  let stopped: Cause | undefined;
  return async (call) => {
    const limit = Math.min(CALL_TIMEOUT, end - performance.now());
    if (stopped || limit <= 0) return { cause: stopped ?? OUT_OF_TIME };
    try {
      return { found: await askInTime(limit, engine.stop, call) };
    } catch (error) {
      const { cause, wholeDestination } = toLoggedFailure(error, engine);
      if (wholeDestination) stopped ??= cause;
      return { cause };
    }
  };
}

/** What reads some entries of a store: in few calls, where several can be surveyed. `cause`: why nothing can be read. */
export async function openReader(
  count: number,
  { survey, ...session }: Session,
  ask: StoreAsker,
): Promise<Pick<Session, 'read'> | { cause: Cause }> {
  if (count < 2 || !survey) return session;
  const answer = await ask((signal) => survey(signal));
  return 'cause' in answer ? answer : answer.found;
}
