import type { IncomingHttpHeaders } from 'node:http';

/** One request a fake received; it never holds a value, so a failing test can print it. */
export type Call = {
  /** Milliseconds since the epoch at arrival. */
  at: number;
  operation: string;
  /** The entry's name where the call is about one. */
  target: string | null;
  /** 0 where no reply was sent: still running, hung or cut. */
  status: number;
  durationMs: number;
  /** Calls under way at arrival, this one included. */
  concurrent: number;
};

/**
 * The kinds every fake understands; a fake adds its own. `cut-after` and `hang-after` apply the call first; `held` calls
 * are applied once the faults are cleared, even where the client has gone by then.
 */
export type FaultKind =
  | 'throttle'
  | 'error'
  | 'hang'
  | 'hang-after'
  | 'cut'
  | 'cut-after'
  | 'slow'
  | 'held'
  | 'revoked'
  | 'redirect'
  | 'garbage'
  | 'stale-read'
  | 'limit';

/** What goes wrong, for which calls; without `operation` and `target` for all of them. */
export type Fault = {
  kind: FaultKind | (string & {});
  operation?: string | string[];
  target?: string;
  /** How many calls it hits; without it, all until the faults are cleared. */
  times?: number;
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
  delayMs?: number;
  /** Where a `redirect` points. */
  location?: string;
  /** With `limit`: from now on so many writes in so many milliseconds are taken. */
  writes?: number;
  perMs?: number;
};

/** An entry as a client of the store would see it; fakes add fields. */
export type StoredEntry = {
  name: string;
  /** Readable for tests even where the store gives none back. */
  value: string | null;
  tags?: Record<string, string>;
  versions?: number;
  [field: string]: unknown;
};

/** An entry put there as somebody else would have; fakes take further fields. */
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
  /** What else a client must be told to reach it; it stands beside `url` in the sandbox file. */
  details?: Record<string, string>;
  calls: () => Call[];
  callsOf: (operation: string) => Call[];
  highestConcurrency: () => number;
  /** Calls turned away by the write limit since the ledger was last cleared. */
  refusedCalls: () => number;
  clearCalls: () => void;
  addFault: (fault: Fault) => void;
  /** Lets calls go on that were held. */
  clearFaults: () => void;
  entries: () => StoredEntry[];
  plant: (entry: PlantedEntry) => void;
  /**
   * Takes a credential that was given out only so much later; it is named by what a call shows of it: an access key id, a
   * client secret, a key id, a token.
   */
  acceptAfter: (credential: string, milliseconds: number) => void;
  /** Empties the store, the ledger and the faults; every credential is taken at once again. */
  reset: () => void;
  close: () => Promise<void>;
};

/** A call that the store has answered; `at` is when it came. */
export type AnsweredCall = { at: number; operation: string; target: string | null; status: number };

/** A fake of which entries can be taken away as a person would, at once and without a trace. */
export type Discarding = { discard: (name: string) => void };

export type FakeOptions = {
  /** A free one where absent. */
  port?: number;
  /** Each reply is held back so long. */
  latencyMs?: number;
  /** The vendor's write limit, enforced over a sliding window. */
  limit?: WriteLimit;
  /** Serves https with this certificate. */
  tls?: { key: string; cert: string };
  /** The host in `url`, where a certificate or an SDK asks for one; it must resolve to 127.0.0.1. */
  hostname?: string;
  /** Told right after the store has answered a call, before its reply can be lost. */
  answered?: (call: AnsweredCall) => void;
};

export type FakeRequest = {
  method: string;
  /** Still percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** An object body is sent as JSON. */
export type FakeReply = { status: number; headers?: Record<string, string>; body?: string | object };

/** Why the base turns a call away; the fake spells it as its vendor does. */
export type Refusal = {
  kind: 'throttle' | 'error' | 'revoked';
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
};

export type CallContext = {
  operation: string;
  target: string | null;
  /** Uses up one hit of a fake's own fault (or `stale-read`) that fits this call. */
  takeFault: (kind: string) => Fault | undefined;
  /** Whether the time has come from which this credential is taken. */
  isAccepted: (credential: string) => boolean;
};

/** What a fake says about its store; the base does transport, ledger, faults and limits. */
export type FakeDefinition = {
  type: string;
  /** Names the call for ledger and faults; must not throw on rubbish. */
  identify: (request: FakeRequest) => { operation: string; target: string | null };
  handle: (request: FakeRequest, call: CallContext) => FakeReply | Promise<FakeReply>;
  refuse: (refusal: Refusal, request: FakeRequest) => FakeReply;
  /** Which operations count against the write limit. */
  isWrite: (operation: string) => boolean;
  entries: () => StoredEntry[];
  plant: (entry: PlantedEntry) => void;
  reset: () => void;
};
