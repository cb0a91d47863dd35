import { access } from './001-access.ts';
import { kv } from './002-kv.ts';
import { sync } from './003-sync.ts';
import { settings } from './004-settings.ts';
import { maintenance } from './005-maintenance.ts';
import { versions } from './006-versions.ts';
import { notifications } from './008-notifications.ts';
import { attribution } from './009-attribution.ts';
import { updates } from './010-updates.ts';
import { associationKeys } from './011-association-keys.ts';
import { uncertainWrites } from './012-uncertain-writes.ts';
import { wantedNames } from './013-wanted-names.ts';
import { destinationFailures } from './014-destination-failures.ts';
import { autovacuum } from './015-autovacuum.ts';
import { latestDeleted } from './016-latest-deleted.ts';
import { waitingNames } from './017-waiting-names.ts';
import { versionCollections } from './018-version-collections.ts';
import { rollouts } from './019-rollouts.ts';
import { wrappedResponses } from './020-wrapped-responses.ts';
import { mountMoves } from './022-mount-moves.ts';
import { namespaceMetadata } from './023-namespace-metadata.ts';
import { masterKeys } from './024-master-keys.ts';
import { tokenLimits } from './025-token-limits.ts';
import { sessions } from './026-sessions.ts';
import { databaseBranch } from './027-database-branch.ts';
import { namedVersions } from './028-named-versions.ts';
import { lostWrites } from './029-lost-writes.ts';
import { authors } from './030-authors.ts';
import { drift } from './031-drift.ts';
import { destinationHistory } from './032-destination-history.ts';
import { pendingSessions } from './033-pending-sessions.ts';
import { triggers } from './034-triggers.ts';
import { cubbyhole } from './037-cubbyhole.ts';
import { wrappingOwners } from './038-wrapping-owners.ts';
import { sessionTokens } from './039-session-tokens.ts';
import { loginExpiry } from './040-login-expiry.ts';
import { auditWho } from './041-audit-who.ts';
import { historyOfSecret } from './042-history-of-secret.ts';
import { auditBinding } from './043-audit-binding.ts';
import { wrappedSecret } from './044-wrapped-secret.ts';

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
export const migrations: Migration[] = [
  access,
  kv,
  sync,
  settings,
  maintenance,
  versions,
  notifications,
  attribution,
  updates,
  associationKeys,
  uncertainWrites,
  wantedNames,
  destinationFailures,
  autovacuum,
  latestDeleted,
  waitingNames,
  versionCollections,
  rollouts,
  wrappedResponses,
  mountMoves,
  namespaceMetadata,
  masterKeys,
  tokenLimits,
  sessions,
  databaseBranch,
  namedVersions,
  lostWrites,
  authors,
  drift,
  destinationHistory,
  pendingSessions,
  triggers,
  cubbyhole,
  wrappingOwners,
  sessionTokens,
  loginExpiry,
  auditWho,
  historyOfSecret,
  auditBinding,
  wrappedSecret,
];
