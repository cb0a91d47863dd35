import type { Mutation } from './mutation.ts';

const DESTINATIONS = 'services/api/endpoints/destinations';
const ASSOCIATIONS = 'services/api/endpoints/associations';

/** Mutations of concurrent changes, of drafts that are tried before they are stored, and of changes made outside. */
export const consoleMutations: Mutation[] = [
  {
    name: 'a change of a destination is made over a revision that nobody saw',
    file: `${DESTINATIONS}/write.ts`,
    find: "  requireMatch(request.header('if-match'), present, nameOf(named));\n",
    replace: '',
    tests: ['api/revisions.test.js'],
  },
  {
    name: 'a destination is replaced that was to be made',
    file: `${DESTINATIONS}/write.ts`,
    find: "  requireAbsent(request.header('if-none-match'), present, nameOf(named));\n",
    replace: '  void requireAbsent;\n',
    tests: ['api/revisions.test.js'],
  },
  {
    name: 'a settings document is changed over a revision that nobody saw',
    file: 'services/settings/change-document.ts',
    find: '    requireMatch(ifMatch, stamp, `the document ${definition.type}`);\n',
    replace: '    void [requireMatch, ifMatch];\n',
    tests: ['api/revisions.test.js'],
  },
  {
    name: 'a version of a policy engine is changed or deleted over a revision that nobody saw',
    file: 'services/api/endpoints/policy-engine-versions/policy-engine-versions.ts',
    find: "  requireMatch(header('if-match'), present, `the version ${present.version}`);\n",
    replace: '  void [requireMatch, header, present];\n',
    tests: ['api/revisions.test.js'],
  },
  {
    name: 'settings are tried without the right to store them',
    file: `${DESTINATIONS}/draft.ts`,
    find: '  requireWritable(request, named, present !== undefined && !mustBeNew(condition));\n',
    replace: '  void [requireWritable, mustBeNew];\n',
    tests: ['api/sync/drafts.test.js'],
  },
  {
    name: 'a stored credential is tried at another address',
    file: `${DESTINATIONS}/draft.ts`,
    find: '    refuseKeptSecrets(named.type, { present, document, body });\n',
    replace: '    void refuseKeptSecrets;\n',
    tests: ['api/sync/drafts.test.js'],
  },
  {
    name: 'a plan says that it would create what the store did not tell of',
    file: 'libs/sync/commands/plan/judge-foreign.ts',
    find: "        action: 'unknown',",
    replace: "        action: 'create',",
    tests: ['api/sync/drafts.test.js'],
  },
  {
    name: 'a plan of other settings does not look at the entries that it overwrites',
    file: 'libs/sync/commands/plan/own-entries.ts',
    find: '  return !leavesDrift || isUnsure === true || TOUCHING.has(action);',
    replace: '  return !leavesDrift || isUnsure === true || (TOUCHING.has(action) && false);',
    tests: ['api/sync/plans-of-settings.test.js'],
  },
  {
    name: 'a plan of other settings stores what it saw with them',
    file: 'libs/sync/commands/handlers.ts',
    find: '      if (settings) return found;\n',
    replace: '',
    tests: ['api/sync/plans-of-settings.test.js'],
  },
  {
    name: 'a plan overwrites what someone made in the place of our entry',
    file: 'libs/sync/commands/plan/own-entries.ts',
    find: 'if (request.leavesDrift && compared?.isForeign && !isLeaving(step)) {',
    replace: 'if (compared?.isForeign && !isLeaving(step) && request.unlink) {',
    tests: ['api/sync/plans-of-settings.test.js'],
  },
  {
    name: 'a plan carries a decision over to another name',
    file: 'libs/sync/commands/plan/plan-secret.ts',
    find: 'const known = template === undefined ? linked : undefined;',
    replace: 'const known = template === undefined || linked ? linked : undefined;',
    tests: ['api/sync/standing-decisions.test.js'],
  },
  {
    name: 'a decision about one key counts for all',
    file: 'libs/sync/push/ownership.ts',
    find: 'return (decidedKeys?.includes(subKey) ?? true) ? decision : null;',
    replace: 'return (decidedKeys?.length ?? subKey.length) >= 0 ? decision : null;',
    tests: ['api/sync/decided-keys.test.js'],
  },
  {
    name: 'a decision about one key undoes a change in another',
    file: 'libs/sync/push/write.ts',
    find: 'return order.looks === true && (order.aloneKeys?.includes(subKey) ?? true);',
    replace: 'return order.looks === true && subKey.length >= 0;',
    tests: ['api/sync/decided-keys.test.js'],
  },
  {
    name: 'an incident that ended by itself is told as what somebody did before it',
    file: 'libs/store/due/waited.ts',
    find: "`(${trigger} #>> '{waited,for}' = i.code OR",
    replace: "`(false AND ${trigger} #>> '{waited,for}' = i.code OR false AND",
    tests: ['api/sync/waited.test.js'],
  },
  {
    name: 'a plan deletes an entry that the ledger does not hold',
    file: 'libs/sync/commands/plan/plan-secret.ts',
    find: '? [leaveUnsure(entry)] : [];',
    replace: '? [{ ...leaveUnsure(entry), ...leave(entry, request.destination, drifted) }] : [];',
    tests: ['api/sync/unconfirmed-deletions.test.js'],
  },
  {
    name: 'a plan calls an entry ours that another destination manages',
    file: 'libs/sync/commands/verify.ts',
    find: "({ shared: 'shared',",
    replace: "({ shared: 'ours',",
    tests: ['e2e/shared-container.test.js'],
  },
  {
    name: 'many secrets are linked without the right to read them',
    file: `${ASSOCIATIONS}/set-many.ts`,
    find: '        requireReadable(request, secret);\n',
    replace: '        void requireReadable;\n',
    tests: ['api/sync/bulk.test.js'],
  },
  {
    name: 'all secrets are unlinked where nobody said so',
    file: `${ASSOCIATIONS}/remove-many.ts`,
    find: 'if (!all && Object',
    replace: 'if (false && Object',
    tests: ['api/sync/bulk.test.js'],
  },
  {
    name: 'a push is taken for a change by others',
    file: 'libs/store/associations/drift.ts',
    find:
      " AND encode(e.value_fingerprint, 'hex') IS NOT DISTINCT FROM f.written\n" +
      `    AND date_trunc('milliseconds', e.written_at) IS NOT DISTINCT FROM f."writtenAt"`,
    replace: '',
    tests: ['api/sync/kept-drift.test.js'],
  },
  {
    name: 'what is known to be changed outside is counted as in sync',
    file: 'libs/store/associations/status.ts',
    find: "WHEN e.status = 'SYNCED' AND e.drift IS NOT NULL THEN",
    replace: "WHEN e.status = 'SYNCED' AND e.drift IS NOT NULL AND e.drift IS NULL THEN",
    tests: ['api/sync/kept-drift.test.js'],
  },
  {
    name: 'what was changed outside is not written again',
    file: 'libs/store/orders/ledger.ts',
    find: 'encode(CASE WHEN NOT ${IS_SEEN_CHANGED} OR ${leavesDrift} THEN e.value_fingerprint END,',
    replace: 'encode(e.value_fingerprint,',
    tests: ['api/sync/kept-drift.test.js'],
  },
  {
    name: 'everybody ends the sessions of others',
    file: 'services/api/endpoints/session/list.ts',
    find: '...(mayEndAll ? {} : { tokenId: caller.token.id }),',
    replace: '...(mayEndAll || caller.token.id ? {} : {}),',
    tests: ['api/session.test.js'],
  },
];
