import type { Migration } from './migration.ts';

/**
 * Rules for alerts, and their messages. Those of the environment are here, too: the rows that
 * processes of the former version still add to `notification_deliveries` are taken over.
 */
export const alerts: Migration = {
  name: '005-alerts',
  compatible: true,
  sql: `
CREATE TABLE alert_rules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id text NOT NULL REFERENCES namespaces,
  name text COLLATE "C" NOT NULL,
  enabled boolean NOT NULL,
  settings jsonb NOT NULL,
  -- The address and the signing secret of a webhook, sealed for \`alert_rules/{id}\`.
  sealed bytea,
  revision integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text,
  UNIQUE (namespace_id, name)
);

-- The failing associations that a rule has told, until it has told that they no longer fail.
CREATE TABLE alert_tellings (
  rule_id bigint NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
  association_id bigint NOT NULL,
  since timestamptz NOT NULL,
  -- The names, which the association may no longer have when it ends.
  link jsonb NOT NULL,
  PRIMARY KEY (rule_id, association_id)
);

-- One notification for one recipient. Those with the same message id are sent as one message.
CREATE TABLE alert_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: the environment's settings.
  rule_id bigint REFERENCES alert_rules ON DELETE CASCADE,
  notification_id text COLLATE "C" NOT NULL REFERENCES notifications ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('webhook', 'email')),
  -- The address for email; empty for a webhook, whose address may be a secret.
  recipient text NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  -- Waits for the end of the quiet hours of its rule.
  held boolean NOT NULL DEFAULT false,
  -- When it was made, or, after quiet hours, when they ended.
  queued_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Null if it is held, or was delivered, given up or dropped.
  due_at timestamptz,
  tried_at timestamptz,
  delivered_at timestamptz,
  -- The code of the last failure, and a sentence about the last try.
  error text,
  detail text
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alert_deliveries_held ON alert_deliveries (rule_id) WHERE held;
CREATE INDEX alert_deliveries_rule ON alert_deliveries (rule_id, id);
CREATE INDEX alert_deliveries_notification ON alert_deliveries (notification_id);`,
};
