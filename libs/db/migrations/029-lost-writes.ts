/** Columns that prove that a promoted server lacks acknowledged changes, and what was decided about the loss. */
export const lostWrites = {
  name: '029-lost-writes',
  sql: `
ALTER TABLE database_branch
  -- Counted up every second; a process that has seen more than a new branch inherited proves a loss.
  ADD COLUMN counted bigint NOT NULL DEFAULT 0,
  ADD COLUMN counted_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN inherited bigint NOT NULL DEFAULT 0,
  -- Whether commits waited for a standby when it was counted last.
  ADD COLUMN synchronous boolean NOT NULL DEFAULT false,
  ADD COLUMN loss_found_at timestamptz,
  -- Null: changes are refused.
  ADD COLUMN loss_accepted_at timestamptz,
  -- Syncing was on when the loss was found, and waits for the decision.
  ADD COLUMN paused_sync boolean NOT NULL DEFAULT false,
  -- The stores may hold what this branch knows nothing of.
  ADD COLUMN ledger_is_stale boolean NOT NULL DEFAULT false;
`,
  compatible: true,
};
