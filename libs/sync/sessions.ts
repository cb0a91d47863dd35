import { LRUCache } from 'lru-cache';
import { signAppToken } from '../crypto/app-key.ts';
import { unseal } from '../crypto/seal.ts';
import {
  findRevisions,
  findStoredSettings,
  type StoredSettings,
} from '../store/destinations/destinations.ts';
import { openGithubApp } from '../store/destinations/github-apps.ts';
import type { Database } from '../db/connect.ts';
import type { WorkOrder } from '../store/orders/order.ts';
import type { OrderResult } from '../store/orders/result.ts';
import { withSpan } from '../tracing/trace.ts';
import type { Context } from '../service/context.ts';
import type { Connector, ConnectorContext, Destination, Session } from '../connector/contract.ts';
import { SHARED_CAUSES } from '../connector/causes.ts';
import { ConnectorError } from '../connector/errors.ts';
import { ambientFault } from '../connector/identity/identity.ts';
import { networkLimits } from '../connector/network.ts';
import { operatorSettings } from '../connector/operator.ts';
import type { EventSender } from '../queue/events.ts';
import { createIdentity, newSince } from './identity.ts';

// A session takes some 70 KB with the largest SDK, and opening one takes about as long as a push.
const MOST_OPEN = 1000;

/** A session, and the digest of the settings that it was opened with. */
export type OpenedSession = { digest: string; session: Session };

/** The settings of a destination that may not be stored. */
export type DraftSettings = { namespace: string; name: string; settings: Record<string, unknown> };

// `digest` is the requested one, until we know which settings were read.
type Open = { digest: string; opened: Promise<OpenedSession> };

/**
 * Open connections to destinations, one for each; the least recently used are closed. A digest of the settings tells them
 * apart. The revision cannot: a failover may repeat it for other settings.
 */
export class Sessions {
  readonly #open = new LRUCache<number, Open>({
    max: MOST_OPEN,
    dispose: (open, _id, reason) => {
      if (reason === 'evict') void closeSession(open);
    },
  });
  readonly #options: {
    context: Context;
    destination: Destination;
    connector: Connector;
    connectorContext: ConnectorContext;
    events: EventSender;
  };

  constructor(options: {
    context: Context;
    destination: Destination;
    connector: Connector;
    connectorContext: ConnectorContext;
    events: EventSender;
  }) {
    this.#options = options;
  }

  /**
   * A session with the given settings. If the settings have changed since, a session with the present ones; the returned
   * `digest` says which. Throws ConnectorError for settings that no session can be opened with.
   */
  get(destinationId: number, digest: string): Promise<OpenedSession> {
    const known = this.#open.get(destinationId);
    const isGood = known !== undefined && known.digest === digest;
    const open = isGood ? known : this.#begin(destinationId, digest, known);
    if (open !== known) this.#open.set(destinationId, open);
    return open.opened;
  }

  /** A session with settings that are not stored; the caller closes it. Throws ConnectorError. */
  async openDraft(draft: DraftSettings): Promise<Session> {
    const session = await this.#openWith({ ...draft, changedMs: 0, isDraft: true });
    return traceSession(session, this.#options.destination.type);
  }

  /** Closes every session; idempotent. */
  async closeAll(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(closeSession));
  }

  // Callers that ask while the session is being opened share it.
  #begin(destinationId: number, digest: string, known: Open | undefined): Open {
    const open: Open = { digest, opened: this.#connect(destinationId, known) };
    open.opened.then(
      (opened) => (open.digest = opened.digest),
      () => {
        if (known) void closeSession(known);
        if (this.#open.get(destinationId) === open) this.#open.delete(destinationId);
      },
    );
    return open;
  }

  async #read(destinationId: number): Promise<StoredSettings> {
    const { context, destination } = this.#options;
    const row = await findStoredSettings(context.db, { id: destinationId, type: destination.type });
    if (row) return row;
    throw new ConnectorError({
      kind: 'client',
      code: 'destination_gone',
      message: 'the destination was deleted',
    });
  }

  async #connect(destinationId: number, known: Open | undefined): Promise<OpenedSession> {
    const { context } = this.#options;
    const row = await this.#read(destinationId);
    const former = await known?.opened.catch(() => undefined);
    // The settings have not changed: the caller has an older claim.
    if (former?.digest === row.digest) return former;
    const secrets: unknown = row.sealed_settings
      ? JSON.parse(unseal(context.keyring, row.sealed_settings, `destinations/${destinationId}`).toString())
      : {};
    const settings = { ...row.settings, ...(secrets as object) };
    const session = await this.#openWith({ ...row, settings, isDraft: false });
    if (known) void closeSession(known);
    return { digest: row.digest, session: traceSession(session, this.#options.destination.type) };
  }

  async #openWith(
    named: DraftSettings & Pick<StoredSettings, 'changedMs'> & { isDraft: boolean },
  ): Promise<Session> {
    const { context, destination, connector, connectorContext, events } = this.#options;
    const { namespace, settings } = named;
    const app = destination.app?.nameOf(settings);
    const operator = operatorSettings(context.config, namespace, connectorContext.environment);
    // The API refuses it as well, but the operator may have changed that since.
    if (ambientFault(destination, settings, operator) !== null) throw ambientNotAllowed();
    return connector.open(settings, {
      ...connectorContext,
      ...operator,
      networkLimits: networkLimits(settings),
      isNew: newSince(named.changedMs),
      ...(app === undefined ? {} : { appToken: () => signForApp(context, { namespace, name: app }) }),
      ...(destination.identity ? { identity: createIdentity({ context, events, destination }, named) } : {}),
    });
  }
}

// The key is read each time, so a session works on with a new one.
async function signForApp(
  { db, keyring }: Context,
  app: { namespace: string; name: string },
): Promise<string | undefined> {
  const key = await openGithubApp(db, keyring, app);
  return key && signAppToken(key);
}

function ambientNotAllowed(): ConnectorError {
  const { kind, scope, step, message, action } = SHARED_CAUSES.ambient_not_allowed;
  return new ConnectorError({
    kind,
    scope,
    step,
    code: 'ambient_not_allowed',
    message: `${message} ${action}`,
  });
}

async function closeSession({ opened }: Open): Promise<void> {
  try {
    await (await opened).session.close?.();
  } catch {
    // Opening or closing it failed: either way nothing of it is left to use.
  }
}

/**
 * Whether a destination was changed between the claim of an order and the opening of its session. The destination may
 * then lead elsewhere, where the ledger that the order was planned with means nothing.
 */
export function isChangedSince(order: WorkOrder | undefined, opened: OpenedSession): boolean {
  return order?.destination.settingsDigest !== opened.digest;
}

/**
 * Drops what a store said about a destination that was changed meanwhile: the wait that the store asked the former
 * credentials for, and the failure of the whole destination. `revision` is the one of the push.
 */
export async function forgetFormerSettings(
  db: Database,
  results: OrderResult[],
  revision: number,
): Promise<OrderResult[]> {
  const [first] = results.filter(
    (result) => result.throttleMs > 0 || result.destinationFailed || result.finding?.failure,
  );
  if (!first) return results;
  const { destinationId: id } = first;
  // Without Postgres we cannot know whether it was changed. Then we keep what the store said.
  const revisions = await findRevisions(db, [id]).catch(() => new Map<number, number>());
  if ((revisions.get(id) ?? revision) === revision) return results;
  return results.map((result) => ({ ...result, throttleMs: 0, destinationFailed: false, finding: null }));
}

// Names every property, so that the compiler reports one that is left out.
type Complete<Type> = { [Key in keyof Required<Type>]: Type[Key] | undefined };

/**
 * The same session, with a span around each call of a verb. The span belongs to the push or command that makes the call.
 * Spans know the type and the verb only.
 */
function traceSession(session: Session, type: string): Session {
  const traced = <Words extends unknown[], Result>(
    verb: string,
    call: (...words: Words) => Promise<Result>,
  ) => {
    const options = { kind: 'client', attributes: { 'sealift.type': type, 'sealift.verb': verb } } as const;
    return (...words: Words): Promise<Result> => withSpan(`${verb} ${type}`, options, () => call(...words));
  };
  const { survey, findOwner, putMany, retag, isOutdated, removedFrom, addedTo, close } = session;
  const all: Complete<Session> = {
    check: traced('check', session.check.bind(session)),
    read: traced('read', session.read.bind(session)),
    survey: survey && traced('survey', survey.bind(session)),
    findOwner: findOwner && traced('findOwner', findOwner.bind(session)),
    put: traced('put', session.put.bind(session)),
    putMany: putMany && traced('putMany', putMany.bind(session)),
    retag: retag && traced('retag', retag.bind(session)),
    remove: traced('remove', session.remove.bind(session)),
    isOutdated: isOutdated?.bind(session),
    removedFrom: removedFrom?.bind(session),
    addedTo: addedTo?.bind(session),
    close: close?.bind(session),
  };
  return all as Session;
}
