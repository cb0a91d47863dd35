import type { Migration } from './migration.ts';

/** Auth methods keep what they were enabled with, and can be moved, as mounts. */
export const movedAuthMethods: Migration = {
  name: '014-moved-auth-methods',
  compatible: true,
  sql: `
ALTER TABLE auth_mounts
  -- Stored and returned, but not used.
  ADD COLUMN local boolean NOT NULL DEFAULT false,
  ADD COLUMN seal_wrap boolean NOT NULL DEFAULT false,
  -- The last move: its id, and the path from the root namespace before it.
  ADD COLUMN move_id uuid UNIQUE,
  ADD COLUMN moved_from text;`,
};
