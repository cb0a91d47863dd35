/** Answers about the service itself. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { closed, nullable, texts, time } from './schema.ts';

const findingAnswer = closed({
  check: Type.String(),
  state: Type.Enum(['ok', 'warning', 'failed', 'skipped']),
  detail: Type.String(),
  advice: Type.Optional(Type.String({ description: 'What to fix.' })),
});

/** One check of what the service needs. */
export type FindingAnswer = Static<typeof findingAnswer>;

const forTypes = 'Null for a kind of worker that handles no associations, or if the database does not tell.';

const workerAnswer = closed({
  name: Type.String(),
  running: Type.Integer(),
  messages: Type.Integer(),
  due: nullable(Type.Integer(), forTypes),
  oldest_due_seconds: nullable(Type.Number(), forTypes),
});

/** A kind of worker that is needed. */
export type WorkerAnswer = Static<typeof workerAnswer>;

export const statusAnswer = closed({
  time,
  version: Type.String(),
  node_version: Type.String(),
  findings: Type.Array(findingAnswer),
  workers: nullable(Type.Array(workerAnswer), 'Null while the broker is away.'),
  dead_letters: nullable(Type.Integer(), 'Null while the broker is away.'),
  master_key: nullable(closed({ term: Type.Integer(), installed_at: time })),
  signing_keys: nullable(
    closed({ count: Type.Integer(), newest_age_seconds: nullable(Type.Number()) }),
    'Null if the database does not tell.',
  ),
  lost_writes: Type.Boolean(),
});

export type StatusAnswer = Static<typeof statusAnswer>;

// What clients ask an installation before anything else.

const text = Type.String();
const integer = Type.Integer();
const flag = Type.Boolean();

export const healthAnswer = closed({
  initialized: flag,
  sealed: flag,
  standby: flag,
  performance_standby: flag,
  replication_performance_mode: text,
  replication_dr_mode: text,
  server_time_utc: Type.Integer({ description: 'Seconds since 1970.' }),
  version: text,
  enterprise: flag,
  cluster_name: text,
  cluster_id: text,
});

export const sealStatusAnswer = closed({
  type: text,
  initialized: flag,
  sealed: flag,
  t: integer,
  n: integer,
  progress: integer,
  nonce: text,
  version: text,
  build_date: text,
  migration: flag,
  cluster_name: text,
  cluster_id: text,
  recovery_seal: flag,
  storage_type: text,
});

export const leaderAnswer = closed({
  ha_enabled: flag,
  is_self: flag,
  leader_address: text,
  leader_cluster_address: text,
  performance_standby: flag,
  performance_standby_last_remote_wal: integer,
});

export const activationAnswer = closed({ activated: texts, unactivated: texts });
