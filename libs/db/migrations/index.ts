import { baseline } from './001-baseline.ts';
import { driftChecks } from './002-drift-checks.ts';
import { pauses } from './003-pauses.ts';
import { ownNames } from './004-own-names.ts';
import { alerts } from './005-alerts.ts';
import { incidents } from './006-incidents.ts';
// No step has the number 007.
import { authMethods } from './008-auth-methods.ts';
import { githubApps } from './009-github-apps.ts';
import { teams } from './010-teams.ts';
import { databaseHome } from './011-database-home.ts';
import { tokenReviewers } from './012-token-reviewers.ts';
import { openLogIns } from './013-open-log-ins.ts';
import { movedAuthMethods } from './014-moved-auth-methods.ts';
import { wholePauses } from './015-whole-pauses.ts';
import { keptCounts } from './016-kept-counts.ts';
import { historyOrder } from './017-history-order.ts';
import { partitions } from './018-partitions.ts';
import { exceptions } from './019-exceptions.ts';
import { namespaceCounts } from './020-namespace-counts.ts';
import { sessionBrowsers } from './021-session-browsers.ts';
import { historyEntries } from './022-history-entries.ts';
import { rolloutAuthors } from './023-rollout-authors.ts';
import { goneNames } from './024-gone-names.ts';
import { changedPauses } from './025-changed-pauses.ts';
import { destinationAttempts } from './026-destination-attempts.ts';
import { keptDecisions } from './027-kept-decisions.ts';
import { endedHolds } from './028-ended-holds.ts';
import type { Migration } from './migration.ts';

/** In order, forward only: a released step is never removed or moved, and what it does never changes. */
export const migrations: Migration[] = [
  baseline,
  driftChecks,
  pauses,
  ownNames,
  alerts,
  incidents,
  authMethods,
  githubApps,
  teams,
  databaseHome,
  tokenReviewers,
  openLogIns,
  movedAuthMethods,
  wholePauses,
  keptCounts,
  historyOrder,
  ...partitions,
  exceptions,
  namespaceCounts,
  sessionBrowsers,
  historyEntries,
  rolloutAuthors,
  goneNames,
  changedPauses,
  ...destinationAttempts,
  keptDecisions,
  endedHolds,
];
