import { LRUCache } from 'lru-cache';
import { unseal } from '../../crypto/seal.ts';
import { SETTINGS_DIGEST } from '../../store/destinations/destinations.ts';
import type { Context } from '../../service/context.ts';
import type { Connector, ConnectorContext, Destination, Session } from '../../connector/contract.ts';
import { ConnectorError } from '../../connector/errors.ts';
import { operatorSettings } from '../../connector/operator.ts';
import { traceSession } from './trace-session.ts';

// Some 70 KB each with the largest SDK, and to open one takes about as long as a push.
const MOST_OPEN = 1000;

/** A session, and the digest of the settings that it was opened with. */
export type Opened = { digest: string; session: Session };

// `digest` is the one that was asked for, until it is known which was read.
type Open = { digest: string; opened: Promise<Opened> };

type Row = {
  digest: string;
  namespace: string;
  settings: Record<string, unknown>;
  sealed_settings: Buffer | null;
};

/**
 * Open connections to destinations, one for each; the least used are closed. They are told apart by a digest of the
 * settings and not by the revision, which a failover may repeat for other settings.
 */
export class Sessions {
  readonly #open = new LRUCache<number, Open>({
    max: MOST_OPEN,
    dispose: (open, _id, reason) => {
      if (reason === 'evict') void close(open);
    },
  });
  readonly #parts: {
    context: Context;
    destination: Destination;
    connector: Connector;
    connectorContext: ConnectorContext;
  };

  constructor(parts: {
    context: Context;
    destination: Destination;
    connector: Connector;
    connectorContext: ConnectorContext;
  }) {
    this.#parts = parts;
  }

  /**
   * A session of the given settings; of the present ones where these are others by now, which `digest` tells. Throws
   * ConnectorError for settings it cannot be opened with.
   */
  get(destinationId: number, digest: string): Promise<Opened> {
    const known = this.#open.get(destinationId);
    const isGood = known !== undefined && known.digest === digest;
    const open = isGood ? known : this.#begin(destinationId, digest, known);
    if (open !== known) this.#open.set(destinationId, open);
    return open.opened;
  }

  /** Closes every session; idempotent. */
  async closeAll(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(close));
  }

  // Those who ask while it is being opened share it.
  #begin(destinationId: number, digest: string, known: Open | undefined): Open {
    const open: Open = { digest, opened: this.#connect(destinationId, known) };
    open.opened.then(
      (opened) => (open.digest = opened.digest),
      () => {
        if (known) void close(known);
        if (this.#open.get(destinationId) === open) this.#open.delete(destinationId);
      },
    );
    return open;
  }

  async #read(destinationId: number): Promise<Row> {
    const { context, destination } = this.#parts;
    const row: Row | undefined = await context
      .db('destinations AS d')
      .join('namespaces AS n', 'n.id', 'd.namespace_id')
      .where({ 'd.id': destinationId, 'd.type': destination.type })
      .first(
        'd.settings',
        'd.sealed_settings',
        'n.path AS namespace',
        context.db.raw(`${SETTINGS_DIGEST} AS digest`),
      );
    if (row) return row;
    throw new ConnectorError({
      kind: 'client',
      code: 'destination_gone',
      message: 'the destination was deleted',
    });
  }

  async #connect(destinationId: number, known: Open | undefined): Promise<Opened> {
    const { context, connector, connectorContext } = this.#parts;
    const row = await this.#read(destinationId);
    const former = await known?.opened.catch(() => undefined);
    // Whoever asked has an older claim.
    if (former?.digest === row.digest) return former;
    const secrets: unknown = row.sealed_settings
      ? JSON.parse(unseal(context.keyring, row.sealed_settings, `destinations/${destinationId}`).toString())
      : {};
    const operator = operatorSettings(context.config, row.namespace, connectorContext.environment);
    const settings = { ...row.settings, ...(secrets as object) };
    const session = await connector.open(settings, { ...connectorContext, ...operator });
    if (known) void close(known);
    return { digest: row.digest, session: traceSession(session, this.#parts.destination.type) };
  }
}

async function close({ opened }: Open): Promise<void> {
  try {
    await (await opened).session.close?.();
  } catch {
    // It could not be opened, or not be closed: either way nothing of it is left to use.
  }
}
