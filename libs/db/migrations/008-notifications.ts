/** Notifications of operators: the state that was seen last, the notifications, and their deliveries. */
export const notifications = {
  name: '008-notifications',
  sql: `
-- Associations that fail: since when that is known, and when it was told. A row ends when the association no longer fails.
CREATE TABLE notify_failures (
  association_id bigint PRIMARY KEY,
  since timestamptz NOT NULL,
  told_at timestamptz
);
-- Looked for every minute: neither index holds anything while all is well.
CREATE INDEX associations_failing ON associations (id) WHERE failure IS NOT NULL;
CREATE INDEX entries_failing ON entries (association_id) WHERE cause IS NOT NULL;

-- What was seen last of things that have no row of their own: keys and dead letters.
CREATE TABLE notify_state (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);

CREATE TABLE notifications (
  -- What receivers know it by, however often it is tried.
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  happened_at timestamptz NOT NULL,
  data jsonb NOT NULL
);
CREATE INDEX notifications_happened ON notifications (happened_at);

CREATE TABLE notification_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  notification_id text COLLATE "C" NOT NULL REFERENCES notifications ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('webhook', 'email')),
  -- An address for email; empty for the webhook, whose address is a secret of the configuration.
  recipient text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Null: delivered or given up.
  due_at timestamptz,
  delivered_at timestamptz,
  -- The code of the last failure.
  error text,
  UNIQUE (notification_id, channel, recipient)
);
CREATE INDEX notification_deliveries_due ON notification_deliveries (due_at) WHERE due_at IS NOT NULL;
`,
};
