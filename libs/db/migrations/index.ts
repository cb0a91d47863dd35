import { baseline } from './001-baseline.ts';
import { driftChecks } from './002-drift-checks.ts';

export type Migration = {
  name: string;
  sql: string;
  /**
   * Processes that do not know the step can run beside it: it only adds objects that they neither read nor write. Without
   * this flag such a process refuses to start, and all of them must be stopped before `sealift migrate`.
   */
  compatible?: boolean;
};

/** In order, forward only: a released step is never removed or moved, and what it does never changes. */
export const migrations: Migration[] = [baseline, driftChecks];
