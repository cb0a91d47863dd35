import { unseal } from '../../crypto/seal.ts';
import type { Context } from '../../service/context.ts';
import type { Connector, ConnectorContext, Destination, Session } from '../contract.ts';
import { ConnectorError } from '../errors.ts';
import { traceSession } from './trace-session.ts';

// Some 70 KB each with the largest SDK, and to open one takes about as long as a push.
const MOST_OPEN = 1000;

type Open = { revision: number; session: Promise<Session> };

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
  async get(destinationId: number, revision: number): Promise<Session> {
    const known = this.#open.get(destinationId);
    if (known && known.revision >= revision) {
      // Moved to the end: the order of the map is the order of use.
      this.#open.delete(destinationId);
      this.#open.set(destinationId, known);
      return known.session;
    }
    if (known) await this.#close(destinationId);
    const row = await this.#read(destinationId);
    const session = this.#connect(destinationId, row);
    this.#open.set(destinationId, { revision: row.revision, session });
    session.catch(() => this.#open.delete(destinationId));
    const oldest = this.#open.keys().next();
    if (this.#open.size > MOST_OPEN && !oldest.done) await this.#close(oldest.value);
    return session;
  }

  /** Closes every session; idempotent. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#close(id)));
  }

  async #read(destinationId: number): Promise<Row> {
    const row: Row | undefined = await this.#parts.context
      .db('destinations')
      .where({ id: destinationId })
      .first('revision', 'settings', 'sealed_settings');
    if (row) return row;
    throw new ConnectorError({
      kind: 'client',
      code: 'destination_gone',
      message: 'the destination was deleted',
    });
  }

  async #connect(destinationId: number, row: Row): Promise<Session> {
    const { context, connector, connectorContext } = this.#parts;
    const secrets: unknown = row.sealed_settings
      ? JSON.parse(unseal(context.keyring, row.sealed_settings, `destinations/${destinationId}`).toString())
      : {};
    const session = await connector.open({ ...row.settings, ...(secrets as object) }, connectorContext);
    return traceSession(session, this.#parts.destination.type);
  }

  async #close(destinationId: number): Promise<void> {
    const open = this.#open.get(destinationId);
    this.#open.delete(destinationId);
    try {
      await (await open?.session)?.close?.();
    } catch {
      // It could not be opened, or not be closed: either way nothing of it is left to use.
    }
  }
}
