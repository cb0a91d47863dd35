import type { Mutation } from './mutation.ts';
import { accessMutations } from './access-mutations.ts';
import { alertMutations } from './alert-mutations.ts';
import { consoleMutations } from './console-mutations.ts';
import { eventMutations } from './event-mutations.ts';
import { failoverMutations } from './failover-mutations.ts';
import { identityMutations } from './identity-mutations.ts';
import { logInMutations } from './log-in-mutations.ts';
import { masterKeyMutations } from './master-key-mutations.ts';
import { networkMutations } from './network-mutations.ts';
import { outsiderMutations } from './outsider-mutations.ts';
import { rowMutations } from './row-mutations.ts';

const PUSH = 'libs/sync/push';
const ORDERS = 'libs/store/orders';

/** All guards that have a test. */
export const mutations: Mutation[] = [
  ...networkMutations,
  ...identityMutations,
  ...consoleMutations,
  ...logInMutations,
  ...masterKeyMutations,
  ...eventMutations,
  {
    name: 'an inherited lease makes nothing uncertain',
    file: `${ORDERS}/claim.ts`,
    find: 'SET value_fingerprint = NULL, written_at = now(), uncertain_at = now()',
    replace: 'SET value_fingerprint = NULL, written_at = now()',
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'a success is confirmed at once',
    file: `${PUSH}/uncertainty.ts`,
    find: 'if (uncertainMsAgo === null || uncertainMsAgo >= 2 * leaseMs) return null;',
    replace: 'if (uncertainMsAgo === null || leaseMs > 0) return null;',
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'a call that was given up makes nothing uncertain',
    file: `${PUSH}/outcomes.ts`,
    find: "uncertainty: failure.mayLandLate ? 'begins' : 'stays',",
    replace: "uncertainty: 'stays',",
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'an association is dropped while a deletion is unconfirmed',
    file: `${PUSH}/conclude.ts`,
    find: ' && !waiting && confirmInMs === null,',
    replace: ' && !waiting,',
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'older entries of a key stay while a full store refuses its newest name',
    file: `${PUSH}/remove.ts`,
    find: 'return kept !== undefined && kept.id !== entry.id;',
    replace: 'return kept !== undefined && kept.id < 0;',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a store that denies a new entry is believed at once',
    file: `${PUSH}/remove.ts`,
    find: '(key ? null : visibleInMs(entry, leaseMs))',
    replace: '(key ? null : visibleInMs(entry, 0))',
    tests: ['connectors/google-secret-manager/conformance.test.js'],
  },
  {
    name: 'a result is stored without the lease',
    file: `${ORDERS}/write-results.ts`,
    find: ' AND a.lease_token = r."leaseToken"',
    replace: '',
    tests: ['faults/frozen-worker.test.js'],
  },
  {
    name: 'a late result takes nothing back',
    file: `${ORDERS}/store-results.ts`,
    find: 'if (lost.length > 0) await invalidate(db, lost);',
    replace: 'if (lost.length < 0) await invalidate(db, lost);',
    tests: ['e2e/result-after-lost-lease.test.js', 'faults/frozen-worker.test.js'],
  },
  {
    name: 'a newer generation does not keep the row due',
    file: `${ORDERS}/write-results.ts`,
    find: 'due_at = CASE WHEN a.generation > r."generation" THEN now()',
    replace: 'due_at = CASE WHEN false THEN now()',
    tests: ['e2e/write-during-push.test.js'],
  },
  {
    name: 'nobody asks whose an owned entry is before an update',
    file: `${PUSH}/ownership.ts`,
    find: 'if (!session.findOwner) return false;',
    replace: 'if (session) return false;',
    tests: ['connectors/google-secret-manager/conformance.test.js'],
  },
  {
    name: 'nobody asks whose an owned entry is before a deletion',
    file: `${PUSH}/ownership.ts`,
    find: 'if (entry.owned) return callInLease(run, (signal) => findOwned(entry, { ...run, signal }));',
    replace:
      'if (entry.owned && run && findOwned !== undefined) return { name: entry.externalName, reference: entry.reference };',
    tests: ['connectors/google-secret-manager/conformance.test.js'],
  },
  {
    name: 'a foreign entry is taken over whatever conflict_policy says',
    file: `${PUSH}/ownership.ts`,
    find: "if (!ours && conflictPolicyFor({ order, subKey }) === 'refuse') throw foreignEntry(found);",
    replace: 'if (!ours && order.id < 0) throw foreignEntry(found);',
    tests: ['connectors/aws-secrets-manager/conformance.test.js'],
  },
  {
    name: 'an entry that another destination holds is taken over',
    file: `${PUSH}/ownership.ts`,
    find: 'if (ours && (await isSharedEntry(own, engine))) throw sharedEntry();',
    replace: 'if (ours && found.reference === sharedEntry().code) await isSharedEntry(own, engine);',
    tests: ['e2e/shared-container.test.js'],
  },
  {
    name: 'an entry that is taken over gets no mark before its value',
    file: `${PUSH}/write-entry.ts`,
    find: 'const reference = await mark(known, run, { reference: former, removed: [], isTakenOver: !ours });',
    replace: 'const reference = former;',
    tests: ['e2e/takeover-of-foreign-entry.test.js'],
  },
  {
    name: 'a change of tags marks what somebody else made meanwhile at Azure',
    file: 'services/connectors/azure-key-vault/connector.ts',
    find: "if (owner !== 'ours' && !entry.isTakenOver)",
    replace: "if (owner === 'other' && !entry.isTakenOver)",
    tests: ['connectors/azure-key-vault/verbs.test.js'],
  },
  {
    name: 'a change of labels marks what somebody else made meanwhile at Google',
    file: 'services/connectors/google-secret-manager/connector.ts',
    find: "if (ownerOf(present, store.mark) !== 'ours' && !entry.isTakenOver)",
    replace: "if (ownerOf(present, store.mark) === 'other' && !entry.isTakenOver)",
    tests: ['connectors/google-secret-manager/verbs.test.js'],
  },
  {
    name: 'AWS is told the name and not the ARN',
    file: 'services/connectors/aws-secrets-manager/owned-secret.ts',
    find: 'const arn = reference === null ? await findOwnArn(store, name) : arnIn(reference);',
    replace: 'const arn = reference === null ? await findOwnArn(store, name) : arnIn(reference) && name;',
    tests: ['connectors/aws-secrets-manager/ownership.test.js'],
  },
  {
    name: 'a Vercel row is replaced by its key',
    file: 'services/connectors/vercel-env/put.ts',
    find: "keys.get(readReference(reference)?.id ?? '') === name",
    replace: "keys.get(readReference(reference)?.id ?? '') === name || true",
    tests: ['connectors/vercel-env/verbs.test.js'],
  },
  {
    name: 'a name goes to the first key, not to its holder',
    file: `${PUSH}/plan.ts`,
    find: 'if (isHolder || !winners.has(nameKey)) winners.set(nameKey, subKey);',
    replace: 'if ((isHolder && false) || !winners.has(nameKey)) winners.set(nameKey, subKey);',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'who waits for a name in a circle is not told what to free',
    file: `${PUSH}/reserve.ts`,
    find: 'if (!present) return taken;',
    replace: 'if (!present || present.owned) return taken;',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'all associations of a destination that fails as a whole look for a repair',
    file: `${ORDERS}/claim.ts`,
    find: 'LIMIT CASE WHEN d.failures > 0 THEN 1 ELSE wanted.orders END',
    replace: 'LIMIT wanted.orders',
    tests: ['e2e/recovers-after-outside-repair.test.js'],
  },
  {
    name: 'an unchanged link is called in sync while another one tries the new credentials',
    file: `${PUSH}/write.ts`,
    find: 'const refusal = await trial;',
    replace: 'const refusal = await Promise.race([trial, null]);',
    tests: ['e2e/recovers-after-outside-repair.test.js'],
  },
  {
    name: 'an unchanged link is called in sync while its credentials are refused',
    file: `${PUSH}/write.ts`,
    find: 'return order.destination.failureCode === REFUSED;',
    replace: "return order.destination.failureCode === '';",
    tests: ['e2e/recovers-after-outside-repair.test.js'],
  },
  {
    name: 'a change that nobody has seen is overwritten',
    file: `${PUSH}/write.ts`,
    find: 'if (order.onlySeen && found && isUnseen(write, print))',
    replace: 'if (order.onlySeen && found === undefined && isUnseen(write, print))',
    tests: ['api/sync/only-seen.test.js'],
  },
  {
    name: 'the next change of an entry that is known to be changed is overwritten',
    file: `${PUSH}/write.ts`,
    find: 'if (write.valueChanged && !isRepair(write)) return write;',
    replace: 'if (write.valueChanged || isRepair(write)) return write;',
    tests: ['api/sync/only-seen.test.js'],
  },
  {
    name: 'a new version waits for a decision about a change in the store',
    file: `${PUSH}/write.ts`,
    find: 'entry.syncedVersion === order.source?.secretVersion',
    replace: 'entry.syncedVersion !== -1',
    tests: ['api/sync/only-seen.test.js'],
  },
  {
    name: 'what ails the destination is not found out',
    file: `${PUSH}/conclude.ts`,
    find: 'if (!failure && count === 0) return null;',
    replace: 'if (!failure || count >= 0) return null;',
    tests: ['e2e/recovers-after-outside-repair.test.js'],
  },
  {
    name: 'a session is kept for other settings',
    file: 'libs/sync/sessions.ts',
    find: 'const isGood = known !== undefined && known.digest === digest;',
    replace: 'const isGood = known !== undefined && digest !== known.digest + known.digest;',
    tests: ['e2e/credentials-change.test.js'],
  },
  {
    name: 'an order is pushed with settings that came after its claim',
    file: 'libs/sync/sessions.ts',
    find: 'return order?.destination.settingsDigest !== opened.digest;',
    replace: 'return order?.leaseToken.toString() === opened.digest;',
    tests: ['e2e/credentials-change-before-push.test.js'],
  },
  {
    name: 'work is claimed while syncing is disabled',
    file: 'libs/store/destinations/holds.ts',
    find: 'applies: `(SELECT ${DISABLED} FROM sync_config)`',
    replace: "applies: 'false'",
    tests: ['e2e/pause.test.js', 'faults/short.test.js'],
  },
  {
    name: 'a stored credential goes to a new address',
    file: 'services/api/endpoints/destinations/address.ts',
    find: 'if (kept.length === 0 || moved.length === 0) return;',
    replace: 'if (kept.length >= 0 || moved.length === 0) return;',
    tests: ['api/sync/destination-credentials.test.js'],
  },
  {
    name: 'the SMTP password goes to a new server',
    file: 'libs/settings/change.ts',
    find: 'if (moved.length === 0) return { moved, secrets: [] };',
    replace: 'if (moved.length >= 0) return { moved, secrets: [] };',
    tests: ['settings/smtp.test.js'],
  },
  {
    name: 'a key takes the name of another before that one has its new name',
    file: `${PUSH}/succession.ts`,
    find: 'if (!writes.some(hasPredecessor)) return [turnOf(writes)];',
    replace: 'if (writes.some(hasPredecessor) || writes.length >= 0) return [turnOf(writes)];',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a key takes the name of another that was refused',
    file: `${PUSH}/succession.ts`,
    find: "return state === 'failed' ? refuseForNow(write, run) : { isLeft: true };",
    replace: "return state === 'failed' ? refuseForNow(write, run).then(() => write) : { isLeft: true };",
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a freed name makes nobody who waits for it due',
    file: `${ORDERS}/waiting-names.ts`,
    find: 'if (names.length === 0) return;',
    replace: 'if (names.length >= 0) return;',
    tests: ['e2e/names.test.js'],
  },
  ...failoverMutations,
  ...rowMutations,
  ...outsiderMutations,
  ...accessMutations,
  ...alertMutations,
];
