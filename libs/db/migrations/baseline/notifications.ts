/** Notifications of operators: the state that was seen last, the notifications, and their deliveries. */
export const notificationsTables = `
-- Failing associations: since when the failure is known, and when operators were notified. The row is deleted when the
-- association no longer fails.
CREATE TABLE notify_failures (
  association_id bigint PRIMARY KEY,
  since timestamptz NOT NULL,
  notified_at timestamptz
);

-- The last seen state of things without a row of their own: keys and dead letters.
CREATE TABLE notify_state (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);

CREATE TABLE notifications (
  -- Receivers know the notification by this id. Each further attempt has the same id.
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
  -- The address for email; empty for the webhook, because its address is a secret of the configuration.
  recipient text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Null if it was delivered or given up.
  due_at timestamptz,
  delivered_at timestamptz,
  -- The code of the last failure.
  error text,
  UNIQUE (notification_id, channel, recipient)
);
CREATE INDEX notification_deliveries_due ON notification_deliveries (due_at) WHERE due_at IS NOT NULL;
`;
