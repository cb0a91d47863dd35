import type { WebSocket } from 'ws';
import { Bag } from '../../../libs/collections/bag.ts';
import { RequestError, unavailable } from '../../../libs/errors/request-error.ts';
import { followEvents } from '../../../libs/queue/events.ts';
import type { Context } from '../../../libs/service/context.ts';
import { createPause } from '../../../libs/time/slices.ts';
import type { Caller } from '../access/caller.ts';
import { LIMITS } from '../limits.ts';
import { openEvents, SECRET_CHANGED, type KvEvent } from './message.ts';
import { renewRights } from './renew-rights.ts';
import { Subscription, type Wanted } from './subscription.ts';

const RENEW_MS = 4000;
const PING_MS = 30_000;
const STOP_LIMIT_MS = 1000;
const RETRY_AFTER_S = 30;

/** The subscribers of one API process. Undo: `stop`. */
export type Subscriptions = {
  /**
   * Adds a subscriber once its socket is taken; `take` returns undefined if the client is gone. Throws 429 if the token has too
   * many, 503 if the process has, or is stopping.
   */
  open: (wanted: Wanted, caller: Caller, take: () => WebSocket | undefined) => void;
  /** Resolves when all have been told, at most a second later. */
  stop: () => Promise<void>;
};

/** Register before the broker starts. */
export function createSubscriptions(
  context: Pick<Context, 'db' | 'log' | 'broker' | 'topology' | 'keyring' | 'metrics'>,
): Subscriptions {
  const { db, log, broker, topology, keyring, metrics } = context;
  const all = new Bag<Subscription>();
  metrics.read(['eventSubscriptions'], () => metrics.eventSubscriptions.set(all.size));
  let isStopping = false;

  followEvents(broker, {
    topology,
    name: SECRET_CHANGED,
    log,
    handle: async (data) => {
      if (all.size === 0) return;
      for (const event of openEvents(keyring, data)) await deliver(event, all);
    },
  });

  const renew = async (): Promise<void> => {
    await renewRights(db, [...all]).catch((error: unknown) =>
      log.warn({ error }, 'the rights of subscribers could not be looked up; they get no events until then'),
    );
    if (!isStopping) renewal = renewLater();
  };
  const renewLater = (): NodeJS.Timeout => setTimeout(() => void renew(), RENEW_MS).unref();
  let renewal = renewLater();
  const pings = setInterval(() => {
    for (const subscription of all) subscription.ping();
  }, PING_MS).unref();

  return {
    open: (wanted, caller, take) => {
      if (isStopping) throw unavailable('this server is stopping: subscribe again');
      requireRoom(all, caller);
      const socket = take();
      if (!socket) return;
      const began = performance.now();
      const subscription = new Subscription(wanted, caller, socket, (code) => {
        takeOut();
        const seconds = Math.round((performance.now() - began) / 1000);
        const { requestId } = wanted;
        const { accessor, sent } = subscription;
        log.info({ requestId, accessor, code, seconds, events: sent }, 'a subscription has ended');
      });
      const takeOut = all.add(subscription);
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(renewal);
      clearInterval(pings);
      for (const subscription of all) subscription.end('stopping');
      const end = performance.now() + STOP_LIMIT_MS;
      while (all.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const subscription of all) subscription.cut();
    },
  };
}

// One after the other, so that each subscriber gets its events in order; other requests are served in between.
async function deliver(event: KvEvent, subscriptions: Iterable<Subscription>): Promise<void> {
  const text = JSON.stringify(event.message);
  const pause = createPause();
  for (const subscription of subscriptions) {
    if (subscription.wants(event)) subscription.send(text);
    await pause();
  }
}

function requireRoom(all: Bag<Subscription>, { token }: Caller): void {
  const { subscriptions: ofProcess, subscriptionsOfToken: ofToken } = LIMITS;
  const own = [...all].filter(({ accessor }) => accessor === token.accessor).length;
  if (own >= ofToken.value)
    throw new RequestError('rate_limited', [tooMany(ofToken, own + 1)], {
      'Retry-After': String(RETRY_AFTER_S),
    });
  if (all.size >= ofProcess.value) throw unavailable(tooMany(ofProcess, all.size + 1), RETRY_AFTER_S);
}

function tooMany({ subject, value }: { subject: string; value: number }, given: number): string {
  return `${subject}: ${given} are too many, at most ${value} are allowed`;
}
