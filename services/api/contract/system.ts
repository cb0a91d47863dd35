/** What clients ask an installation before anything else. */

import { Type } from 'typebox';
import { closed, texts } from './schema.ts';

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
