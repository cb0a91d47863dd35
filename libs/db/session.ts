import pg from 'pg';
import { NoPrimaryError } from './failover/no-primary-error.ts';
import {
  beginSessionSql,
  beginTransactionSql,
  searchPathOf,
  sessionSettingsOf,
  withoutSchema,
  type SessionLimits,
  type Settings,
} from './session-sql.ts';
import { isSqlState } from './sql-state.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const READ_ONLY = '25006';
const PROTOCOL_VIOLATION = '08P01';

/** Postgres accepts connections, but a session of ours cannot work there; `code` is an SQLSTATE. */
export class SessionRefusedError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'SessionRefusedError';
    this.code = code;
  }
}

/**
 * A client whose statements depend on nothing that its role or its database carries. Behind a pooler that lends sessions
 * for one transaction, each transaction pins the settings; otherwise the session does once.
 */
export class SessionClient extends pg.Client {
  readonly #settings: Settings;
  #isShared = false;

  /** `url` may name the schema of our tables, as `schemaOf` reads it. */
  constructor(url: string, config: Omit<pg.ClientConfig, 'connectionString'>, limits: SessionLimits) {
    super({ ...config, connectionString: withoutSchema(url) });
    this.#settings = sessionSettingsOf(limits, searchPathOf(url));
  }

  /** Whether a pooler lends us a session for each transaction. Known after `begin`. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** The statement that begins a transaction. */
  get beginSql(): string {
    return this.#isShared ? beginTransactionSql(this.#settings) : 'BEGIN';
  }

  /**
   * Pins the settings of the new session, in one message. Throws SessionRefusedError if the database is read-only: an
   * operator may stop all changes so, and a session keeps that default for ever.
   */
  async begin(): Promise<void> {
    // The server's process has another number than the one we were told: something stands between, and lends sessions.
    const { processID } = this as unknown as { processID: number | null };
    const begun = await this.#pin(processID ?? 0);
    if (begun.readOnly === 'on')
      throw new SessionRefusedError(READ_ONLY, 'Postgres is read-only: default_transaction_read_only is on');
    if (begun.pid === processID) return;
    if (begun.isStandby) throw new NoPrimaryError('standby');
    this.#isShared = true;
    await this.#tryTransaction();
    // Statements are sent without waiting for the answers to those before them.
    (this as unknown as { pipeline: boolean }).pipeline = true;
  }

  /** Runs one statement that stands alone. */
  async run<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    return this.inTransaction(() => this.query<Row>(text, values));
  }

  /**
   * Runs a statement of its own in a transaction if the session is shared. All three messages go out together. After a
   * failure Postgres takes COMMIT for ROLLBACK.
   */
  async inTransaction<Result>(run: () => Promise<Result>): Promise<Result> {
    if (!this.#isShared) return run();
    const [begun, ran, ended] = await Promise.allSettled([
      this.query(this.beginSql),
      run(),
      this.query('COMMIT'),
    ]);
    if (begun.status === 'rejected') throw begun.reason;
    if (ran.status === 'rejected') throw ran.reason;
    if (ended.status === 'rejected') throw ended.reason;
    return ran.value;
  }

  async #pin(processId: number): Promise<Begun> {
    try {
      const results = (await this.query(beginSessionSql(this.#settings, processId))) as unknown;
      const begun = (results as pg.QueryResult<Begun>[]).at(-1)?.rows[0];
      if (!begun) throw new Error('Postgres returned no session');
      return begun;
    } catch (error) {
      if (!isSqlState(error, INSUFFICIENT_PRIVILEGE)) throw error;
      throw new SessionRefusedError(
        INSUFFICIENT_PRIVILEGE,
        'the role or database carries a session_replication_role that the role may not change',
      );
    }
  }

  // A pooler may lend sessions for one statement only, and closes the connection behind its refusal: nothing is sent
  // until it has answered, or the refusal would be lost.
  async #tryTransaction(): Promise<void> {
    try {
      await this.query(this.beginSql);
      await this.query('COMMIT');
    } catch (error) {
      if (!isSqlState(error, PROTOCOL_VIOLATION)) throw error;
      throw new SessionRefusedError(
        PROTOCOL_VIOLATION,
        'the connection pooler lends sessions for one statement only: set its pool_mode to transaction or session',
      );
    }
  }
}

type Begun = { readOnly: string; pid: number; isStandby: boolean };

// The session or its transaction is not what we take it for. A new session begins well, or says what is wrong.
const BAD_STATES = new Set([
  READ_ONLY,
  '25P02', // a transaction that failed is still open
  '25P03', // idle in a transaction for too long
  '26000', // a prepared statement that the session does not have
  '42P05', // a prepared statement that the session already has
  '0A000', // a prepared statement whose rows have changed their types
]);

/** Whether the error of a statement means that its session must not be used again. */
export function isBadSession(error: unknown): boolean {
  return isSqlState(error, ...BAD_STATES);
}
