/** Columns that prove that a promoted server lacks acknowledged changes, and what was decided about the loss. */
export const lostWrites = {
  name: '029-lost-writes',
  sql: `
ALTER TABLE database_branch
  -- Incremented every second. If a process saw a higher number than a new branch inherited, writes were lost.
  ADD COLUMN counted bigint NOT NULL DEFAULT 0,
  ADD COLUMN counted_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN inherited bigint NOT NULL DEFAULT 0,
  -- Whether commits waited for a standby at the last increment.
  ADD COLUMN synchronous boolean NOT NULL DEFAULT false,
  ADD COLUMN loss_found_at timestamptz,
  -- Null after a loss was found: changes are refused.
  ADD COLUMN loss_accepted_at timestamptz,
  -- Syncing was enabled when the loss was found. It is disabled until an operator decides.
  ADD COLUMN paused_sync boolean NOT NULL DEFAULT false,
  -- The stores may contain writes that this branch does not know.
  ADD COLUMN ledger_is_stale boolean NOT NULL DEFAULT false;
`,
  compatible: true,
};
