/** The status of the service, as the web console reads it. There are only types here. */

/** One check of what the service needs; `advice` says what to fix, if there is something to fix. */
export type FindingAnswer = {
  check: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  advice?: string;
};

/** A kind of worker that is needed; `due` and `oldest_due_seconds` are null for a kind that handles no associations. */
export type WorkerAnswer = {
  name: string;
  running: number;
  messages: number;
  due: number | null;
  oldest_due_seconds: number | null;
};

/** `workers` and `dead_letters` are null while the broker is away. */
export type StatusAnswer = {
  time: string;
  version: string;
  node_version: string;
  findings: FindingAnswer[];
  workers: WorkerAnswer[] | null;
  dead_letters: number | null;
  master_key: { term: number; installed_at: string } | null;
  signing_keys: { count: number; newest_age_seconds: number | null };
  lost_writes: boolean;
};
