import type { Database } from '../../../libs/db/connect.ts';
import type { Log } from '../../../libs/log/log.ts';
import { insertAuditEvents, type NewAuditEvent } from '../../../libs/store/audit/events.ts';
import { findMountNames } from '../../../libs/store/secrets/mounts.ts';

const WINDOW_MS = 10_000;
const HOUR_MS = 3_600_000;
// Refusals that differ beyond these numbers are counted together, so that a flood cannot fill the table.
const MOST_OF_WINDOW = 50;
const MOST_OF_HOUR = 1000;

/** Why a request was refused that has no entry of its own. */
export type RefusalKind =
  | 'no_token'
  | 'bad_token'
  | 'ended_token'
  | 'wrong_address'
  | 'no_csrf'
  | 'foreign_page'
  | 'unknown_namespace'
  | 'permission_denied'
  | 'log_in_failed'
  | 'bad_wrapping_token'
  | 'refused_change'
  | 'rate_limited';

/**
 * A refused request. `mountName`: first segment of a path that a stranger sent, which may be anything; it is kept only if
 * a mount has that name. `noted`: what a failed log-in tells of itself.
 */
export type RefusedRequest = Omit<NewAuditEvent, 'at' | 'outcome' | 'detail' | 'status'> & {
  kind: RefusalKind;
  status: number | null;
  mountName?: string;
  noted?: Record<string, unknown> | undefined;
};

/** Undo: `stop`, which also writes what was counted. */
export type Refusals = {
  count: (refusal: RefusedRequest) => void;
  /** Writes what was counted until now. */
  flush: () => Promise<void>;
  stop: () => Promise<void>;
};

type Counted = { refusal: RefusedRequest; count: number };

/**
 * Counts refused requests, and writes one audit entry for equal ones every ten seconds: same kind, caller, address and
 * path. Request ids are kept only for a single request.
 */
export function createRefusals(db: Database, log: Log): Refusals {
  let counted = new Map<string, Counted>();
  let hour = { since: performance.now(), written: 0 };
  let writing: Promise<void> = Promise.resolve();

  const add = (refusal: RefusedRequest, count: number): void => {
    const key = keyOf(refusal);
    const known = counted.get(key);
    if (known) known.count += count;
    else if (counted.size < MOST_OF_WINDOW && hour.written + counted.size < MOST_OF_HOUR)
      counted.set(key, { refusal, count });
    else addToRest(refusal, count);
  };
  const addToRest = ({ kind, status }: RefusedRequest, count: number): void => {
    const known = counted.get(kind);
    if (known) known.count += count;
    else counted.set(kind, { refusal: { kind, status, ...REST }, count });
  };
  const write = async (): Promise<void> => {
    if (performance.now() - hour.since > HOUR_MS) hour = { since: performance.now(), written: 0 };
    if (counted.size === 0) return;
    const taken = [...counted.values()];
    counted = new Map();
    try {
      await insertAuditEvents(db, await eventsOf(db, taken));
      hour.written += taken.length;
    } catch (error) {
      log.warn({ error }, 'refused requests were not stored; they are counted on');
      for (const { refusal, count } of taken) add(refusal, count);
    }
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void flush(), WINDOW_MS);
  timer.unref();
  return {
    count: (refusal) => add(refusal, 1),
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

const REST = {
  accessor: null,
  actor: 'anonymous',
  namespace: '?',
  action: 'many',
  path: '…',
  requestId: null,
};

function keyOf(refusal: RefusedRequest): string {
  const { kind, accessor, address, action, namespace, path, mountName, noted } = refusal;
  return JSON.stringify([kind, accessor, address, action, namespace, path, mountName, noted]);
}

async function eventsOf(db: Database, all: Counted[]): Promise<NewAuditEvent[]> {
  const names = all.flatMap(({ refusal: { mountName } }) => mountName ?? []);
  const known = new Set(names.length > 0 ? await findMountNames(db, names) : []);
  return all.map(({ refusal: { kind, mountName, noted, ...refusal }, count }) => ({
    ...refusal,
    path: mountName !== undefined && known.has(mountName) ? `${mountName}/…` : refusal.path,
    requestId: count === 1 ? refusal.requestId : null,
    outcome: 'refused',
    detail: { ...noted, kind, count },
  }));
}
