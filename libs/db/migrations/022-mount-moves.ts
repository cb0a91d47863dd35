/** Where a mount was moved from, and client settings other than those for leases. */
export const mountMoves = {
  name: '022-mount-moves',
  sql: `
ALTER TABLE mounts
  -- The last move: its id, and the former path, which begins at the root namespace.
  ADD COLUMN move_id uuid UNIQUE,
  ADD COLUMN moved_from text,
  ADD COLUMN local boolean NOT NULL DEFAULT false,
  ADD COLUMN seal_wrap boolean NOT NULL DEFAULT false;
`,
  compatible: true,
};
