import type { Migration } from './migration.ts';

/** What failed, from when until when. Workers of the version before note no incidents; a job does so for them. */
export const incidents: Migration = {
  name: '006-incidents',
  compatible: true,
  sql: `
-- One cause at one destination, from its first failure until no association has it any more.
CREATE TABLE sync_incidents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id text NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  -- The destination may be gone.
  destination_id bigint NOT NULL,
  code text NOT NULL,
  cause jsonb NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  -- How many associations fail with the cause now, and how many did at most.
  associations integer NOT NULL,
  most integer NOT NULL,
  -- One of them as an example.
  mount_id bigint,
  secret_path text COLLATE "C",
  -- 'itself', 'person', 'removed' or 'other_cause'; null while the incident is open.
  ended text,
  ended_by text
);
CREATE UNIQUE INDEX sync_incidents_open ON sync_incidents (destination_id, code) WHERE closed_at IS NULL;
CREATE INDEX sync_incidents_of_namespace ON sync_incidents (namespace_id, opened_at, id);
CREATE INDEX sync_incidents_of_destination ON sync_incidents (destination_id, opened_at, id);
CREATE INDEX sync_incidents_closed ON sync_incidents (closed_at);`,
};
