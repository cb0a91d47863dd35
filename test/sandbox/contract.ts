import type { Trust } from './trust.ts';
import type { IncomingHttpHeaders } from 'node:http';

/** One request that a fake received. It never contains a value, so a failing test can print it. */
export type Call = {
  /** Time of arrival, milliseconds since the epoch. */
  at: number;
  operation: string;
  /** The entry's name, if the call is about one. */
  target: string | null;
  /** 0 if no reply was sent: the call still runs, hangs or was cut. */
  status: number;
  durationMs: number;
  /** Calls in progress at arrival, this one included. */
  concurrent: number;
};

/**
 * The faults of every fake. `cut-after` and `hang-after` apply the call first. `held` calls are applied when the faults are
 * cleared, even if the client is gone by then.
 */
export const FAULTS = [
  'throttle',
  'error',
  'hang',
  'hang-after',
  'cut',
  'cut-after',
  'slow',
  'held',
  'revoked',
  'redirect',
  'garbage',
  'stale-read',
  'limit',
] as const;

/** The faults that only some fakes have. */
export const OWN_FAULTS = [
  'changed-meanwhile',
  'deletion-lag',
  'denied',
  'forbidden',
  'force-delete-hidden',
  'force-delete-lag',
  'hidden',
  'login-attempts',
  'no-version-limit',
  'purge-lag',
  'recovery-lag',
  'rotate-key',
  'single-sign-on',
] as const;

type FaultKind = (typeof FAULTS)[number] | (typeof OWN_FAULTS)[number];

/** A fault and the calls that it hits; without `operation` and `target` it hits all calls. */
export type Fault = {
  kind: FaultKind | (string & {});
  operation?: string | string[];
  target?: string;
  /** The number of calls it hits; if absent, all calls until the faults are cleared. */
  times?: number;
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
  delayMs?: number;
  /** The target of a `redirect`. */
  location?: string;
  /** For `limit`: from now on the store accepts this many writes in `perMs` milliseconds. */
  writes?: number;
  perMs?: number;
};

/** An entry as a client of the store sees it. Fakes add fields. */
export type StoredEntry = {
  name: string;
  /** Tests can read it even if the store itself never returns values. */
  value: string | null;
  tags?: Record<string, string>;
  versions?: number;
  [field: string]: unknown;
};

/** An entry that somebody else put into the store. Fakes take further fields. */
export type PlantedEntry = {
  name: string;
  value?: string | null;
  tags?: Record<string, string>;
  [field: string]: unknown;
};

export type WriteLimit = { writes: number; perMs: number };

/** A running stand-in for one external store. */
export type Fake = {
  url: string;
  type: string;
  /** Other facts that a client needs to connect; they are next to `url` in the sandbox file. */
  details?: Record<string, string>;
  calls: () => Call[];
  callsOf: (operation: string) => Call[];
  highestConcurrency: () => number;
  /** Calls that the write limit refused since the ledger was last cleared. */
  refusedCalls: () => number;
  clearCalls: () => void;
  addFault: (fault: Fault) => void;
  /** The faults that further calls hit. */
  faults: () => Fault[];
  /** Also lets `held` calls continue. */
  clearFaults: () => void;
  entries: () => StoredEntry[];
  plant: (entry: PlantedEntry) => void;
  /**
   * From this many milliseconds after now, the store accepts a credential that it has issued. The name is what calls show
   * of it: an access key id, a client secret, a key id, a token.
   */
  acceptAfter: (credential: string, milliseconds: number) => void;
  /** Trusts whom a set-up at the store would. Throws TrustError. Absent if the store takes nothing but stored credentials. */
  trust?: (trust: Trust) => void;
  /** What it was told to trust. */
  trusts: () => Trust[];
  /** Empties the store, the ledger and the faults. Every credential is accepted at once again. */
  reset: () => void;
  close: () => Promise<void>;
};

/** A call that the store has answered, or that a fault ended before the store took it. */
export type AnsweredCall = {
  /** Its time of arrival. */
  at: number;
  operation: string;
  target: string | null;
  /** 0 if the caller got no answer of the store. */
  status: number;
  /** True if the answer shows the entry as it was before its last change. */
  isStale: boolean;
  /** Its access token or signature. If the store gives out tokens, each process has one of its own. */
  credential: string;
};

/** A fake that lets a test remove entries like a person would: at once and without a trace. */
export type Discarding = { discard: (name: string) => void };

export type FakeOptions = {
  /** A free port if absent. */
  port?: number;
  /** Delays each reply by this time. */
  latencyMs?: number;
  /** How long `stale-read` may show the state before a write. 3 s if absent. */
  copyLagMs?: number;
  /** The vendor's write limit, enforced over a sliding window. */
  limit?: WriteLimit;
  /** Serves https with this certificate. */
  tls?: { key: string; cert: string };
  /** The host in `url`, if a certificate or an SDK needs one. It must resolve to 127.0.0.1. */
  hostname?: string;
  /** Called right after the store has answered a call, before its reply can be lost, or after a fault ended the call. */
  answered?: (call: AnsweredCall) => void;
};

export type FakeRequest = {
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** An object body is sent as JSON. */
export type FakeReply = { status: number; headers?: Record<string, string>; body?: string | object };

/** Why the base refuses a call. The fake turns it into its vendor's form. */
export type Refusal = {
  kind: 'throttle' | 'error' | 'revoked';
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
};

export type CallContext = {
  operation: string;
  target: string | null;
  /** Returns the fake's own fault (or `stale-read`) that matches this call, and counts one hit. */
  takeFault: (kind: string) => Fault | undefined;
  /** True if the store accepts this credential by now; see `acceptAfter`. */
  isAccepted: (credential: string) => boolean;
};

/** What a fake defines for its store. The base does transport, ledger, faults and limits. */
export type FakeDefinition = {
  type: string;
  /** Names the call for ledger and faults. Must not throw on invalid requests. */
  identify: (request: FakeRequest) => { operation: string; target: string | null };
  handle: (request: FakeRequest, call: CallContext) => FakeReply | Promise<FakeReply>;
  refuse: (refusal: Refusal, request: FakeRequest) => FakeReply;
  /** True for operations that count against the write limit. */
  isWrite: (operation: string) => boolean;
  entries: () => StoredEntry[];
  plant: (entry: PlantedEntry) => void;
  trust?: (trust: Trust) => void;
  reset: () => void;
};
