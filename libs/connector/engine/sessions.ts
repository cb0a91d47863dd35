import { unseal } from '../../crypto/seal.ts';
import type { Context } from '../../service/context.ts';
import type { Connector, ConnectorContext, Destination, Session } from '../contract.ts';
import { ConnectorError } from '../errors.ts';
import { traceSession } from './trace-session.ts';

// Some 70 KB each with the largest SDK, and to open one takes about as long as a push.
const MOST_OPEN = 1000;

/** A session, and the revision of the destination that its settings are of. */
export type Opened = { revision: number; session: Session };

// `revision` is the one that was asked for, until it is known which was read.
type Open = { revision: number; opened: Promise<Opened> };

type Row = { revision: number; settings: Record<string, unknown>; sealed_settings: Buffer | null };

/** Open connections to destinations, one for each, made anew when the destination changes; the least used are closed. */
export class Sessions {
  readonly #open = new Map<number, Open>();
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

  /** A session of at least the given revision. Throws ConnectorError for settings it cannot be opened with. */
  get(destinationId: number, revision: number): Promise<Opened> {
    const known = this.#open.get(destinationId);
    const isGood = known !== undefined && known.revision >= revision;
    const open = isGood ? known : this.#begin(destinationId, revision);
    // Moved to the end: the order of the map is the order of use.
    this.#open.delete(destinationId);
    this.#open.set(destinationId, open);
    if (known && !isGood) void close(known);
    const [oldest] = this.#open;
    if (this.#open.size > MOST_OPEN && oldest) {
      this.#open.delete(oldest[0]);
      void close(oldest[1]);
    }
    return open.opened;
  }

  /** Closes every session; idempotent. */
  async closeAll(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(close));
  }

  // Those who ask while it is being opened share it.
  #begin(destinationId: number, revision: number): Open {
    const open: Open = { revision, opened: this.#connect(destinationId) };
    open.opened.then(
      (opened) => (open.revision = opened.revision),
      () => {
        if (this.#open.get(destinationId) === open) this.#open.delete(destinationId);
      },
    );
    return open;
  }

  async #read(destinationId: number): Promise<Row> {
    const { context, destination } = this.#parts;
    const row: Row | undefined = await context
      .db('destinations')
      .where({ id: destinationId, type: destination.type })
      .first('revision', 'settings', 'sealed_settings');
    if (row) return row;
    throw new ConnectorError({
      kind: 'client',
      code: 'destination_gone',
      message: 'the destination was deleted',
    });
  }

  async #connect(destinationId: number): Promise<Opened> {
    const { context, connector, connectorContext } = this.#parts;
    const row = await this.#read(destinationId);
    const secrets: unknown = row.sealed_settings
      ? JSON.parse(unseal(context.keyring, row.sealed_settings, `destinations/${destinationId}`).toString())
      : {};
    const session = await connector.open({ ...row.settings, ...(secrets as object) }, connectorContext);
    return { revision: row.revision, session: traceSession(session, this.#parts.destination.type) };
  }
}

async function close({ opened }: Open): Promise<void> {
  try {
    await (await opened).session.close?.();
  } catch {
    // It could not be opened, or not be closed: either way nothing of it is left to use.
  }
}
