/** One guard taken out of the source, and the tests that must notice. */
export type Mutation = {
  /** What is missing then. */
  name: string;
  file: string;
  /** Exact text, which stands in the file once. */
  find: string;
  replace: string;
  /** Compiled test files, below `dist/test`. */
  tests: string[];
};

const PUSH = 'libs/sync/push';
const ORDERS = 'libs/store/orders';

export const mutations: Mutation[] = [
  {
    name: 'an inherited lease makes nothing uncertain',
    file: `${ORDERS}/claim.ts`,
    find: 'SET value_print = NULL, written_at = now(), uncertain_at = now()',
    replace: 'SET value_print = NULL, written_at = now()',
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'a success is confirmed at once',
    file: `${PUSH}/attempt.ts`,
    find: 'if (uncertainMsAgo === null || uncertainMsAgo >= 2 * leaseMs) return null;',
    replace: 'if (uncertainMsAgo === null || leaseMs > 0) return null;',
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'a call that was given up makes nothing uncertain',
    file: `${PUSH}/attempt.ts`,
    find: "uncertainty: failure.mayLandLate ? 'begins' : 'stays',",
    replace: "uncertainty: 'stays',",
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'an association is dropped while a deletion is unconfirmed',
    file: `${PUSH}/conclude.ts`,
    find: ' && !waiting && attempt.confirmInMs === null,',
    replace: ' && !waiting,',
    tests: ['e2e/late-writes.test.js'],
  },
  {
    name: 'a result is stored without the lease',
    file: `${ORDERS}/write-results.ts`,
    find: ' AND a.lease_token = r."leaseToken"',
    replace: '',
    tests: ['faults/frozen.test.js'],
  },
  {
    name: 'a late result takes nothing back',
    file: `${ORDERS}/store-results.ts`,
    find: 'if (lost.length > 0) await distrust(db, lost);',
    replace: 'if (lost.length < 0) await distrust(db, lost);',
    tests: ['faults/frozen.test.js'],
  },
  {
    name: 'a newer generation does not keep the row due',
    file: `${ORDERS}/write-results.ts`,
    find: 'due_at = CASE WHEN a.generation > r."generation" THEN now()',
    replace: 'due_at = CASE WHEN false THEN now()',
    tests: ['e2e/credentials-change-before-push.test.js', 'faults/short.test.js'],
  },
  {
    name: 'nobody asks whose a held entry is before an update',
    file: `${PUSH}/write-entry.ts`,
    find: 'if (!session.findOwner) return false;',
    replace: 'if (session) return false;',
    tests: ['connectors/google-secret-manager/conformance.test.js'],
  },
  {
    name: 'nobody asks whose a held entry is before a deletion',
    file: `${PUSH}/doubtful.ts`,
    find: 'if (entry.held)\n    return run((signal) => findOwned(entry, { destination: parts.destination, session, signal }));',
    replace:
      'if (entry.held && parts && findOwned !== undefined) return { name: entry.externalName, reference: entry.reference };',
    tests: ['connectors/google-secret-manager/conformance.test.js'],
  },
  {
    name: 'a foreign entry is taken over whatever conflict_policy says',
    file: `${PUSH}/write-entry.ts`,
    find: "if (!ours && task.options.conflictPolicy === 'refuse') throw foreignEntry(found);",
    replace: "if (!ours && task.value === '') throw foreignEntry(found);",
    tests: ['connectors/aws-secrets-manager/conformance.test.js'],
  },
  {
    name: 'an entry that another destination holds is taken over',
    file: `${PUSH}/write-entry.ts`,
    find: 'if (ours && (await parts.isShared(found.reference))) throw sharedEntry();',
    replace: '',
    tests: ['e2e/shared-container.test.js'],
  },
  {
    name: 'an entry that is taken over gets no mark before its value',
    file: `${PUSH}/write-entry.ts`,
    find: 'const reference = await mark(known, parts, known.entry.reference, []);',
    replace: 'const { reference } = known.entry;',
    tests: ['e2e/takeover-of-foreign-entry.test.js'],
  },
  {
    name: 'AWS is told the name and not the ARN',
    file: 'services/connectors/aws-secrets-manager/held.ts',
    find: 'const arn = reference ?? (await findOwnArn(tools, name));',
    replace: 'const arn: string | null = reference === null ? await findOwnArn(tools, name) : name;',
    tests: ['connectors/aws-secrets-manager/ownership.test.js'],
  },
  {
    name: 'a Vercel row is replaced by its key',
    file: 'services/connectors/vercel-env/held.ts',
    find: 'const held = entries.filter((entry) => isRowOf(entry, byId));',
    replace: 'const held = entries.filter((entry) => isRowOf(entry, byId) || true);',
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
    name: 'associations that wait for each other change nothing',
    file: `${ORDERS}/exchange-names.ts`,
    find: 'if (found.length === 0) return [];',
    replace: 'if (found.length >= 0) return [];',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a destination that fails as a whole is claimed from all the same',
    file: `${ORDERS}/claim.ts`,
    find: '    AND (d.probe_at IS NULL OR d.probe_at <= now())\n',
    replace: '',
    tests: ['e2e/recovers-after-outside-repair.test.js'],
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
    file: 'libs/sync/sessions/sessions.ts',
    find: 'const isGood = known !== undefined && known.digest === digest;',
    replace: 'const isGood = known !== undefined && digest !== known.digest + known.digest;',
    tests: ['e2e/credentials-change.test.js'],
  },
  {
    name: 'an order is pushed with settings that came after its claim',
    file: `${PUSH}/push.ts`,
    find: 'const isOutdated = opened.digest !== attempts[0]?.order.destination.settingsDigest;',
    replace: 'const isOutdated = opened.digest === attempts[0]?.order.leaseToken.toString();',
    tests: ['e2e/credentials-change-before-push.test.js'],
  },
  {
    name: 'work is claimed while syncing is disabled',
    file: `${ORDERS}/claim.ts`,
    find: '  WHERE NOT (SELECT disabled FROM sync_config)\n',
    replace: '  WHERE true\n',
    tests: ['api/sync/with-worker.test.js', 'faults/short.test.js'],
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
    find: 'if (moved.length === 0) return [];',
    replace: 'if (moved.length >= 0) return [];',
    tests: ['settings/smtp.test.js'],
  },
  {
    name: 'a key takes the name of another before that one has its new name',
    file: `${PUSH}/push.ts`,
    find: 'for (const turn of inTurns(tasks)) {',
    replace: 'for (const turn of [tasks].filter((all) => inTurns(all))) {',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a key takes the name of another that was refused',
    file: `${PUSH}/succession.ts`,
    find: "else if (state === 'failed') await noteWaiting(item, tools);",
    replace:
      "else if (state === 'failed') ready.push(...(await noteWaiting(item, tools).then(() => [item])));",
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a freed name wakes nobody',
    file: `${ORDERS}/freed-names.ts`,
    find: 'if (names.length === 0) return;',
    replace: 'if (names.length >= 0) return;',
    tests: ['e2e/names.test.js'],
  },
  {
    name: 'a late result makes nothing uncertain for the new owner of a name',
    file: `${ORDERS}/store-results.ts`,
    find: 'new Set([...written, ...owners].map(({ id }) => id))',
    replace: 'new Set([...written, ...owners.slice(owners.length)].map(({ id }) => id))',
    tests: ['e2e/result-after-lost-lease.test.js'],
  },
  {
    name: 'a claim waits for an entry that somebody holds',
    file: `${ORDERS}/claim.ts`,
    find: 'WHERE association_id = ANY (?) FOR NO KEY UPDATE SKIP LOCKED',
    replace: 'WHERE association_id = ANY (?) FOR NO KEY UPDATE',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'a claim waits for a destination that somebody holds',
    file: `${ORDERS}/claim.ts`,
    find: '  FOR NO KEY UPDATE SKIP LOCKED\n),',
    replace: '  FOR NO KEY UPDATE\n),',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'a claim waits for the spacing of a destination that somebody holds',
    file: `${ORDERS}/spacing.ts`,
    find: 'FOR NO KEY UPDATE SKIP LOCKED',
    replace: 'FOR NO KEY UPDATE',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'reservations wait for a name that somebody is taking',
    file: `${ORDERS}/reserve.ts`,
    find: 'const LOCK_MS = 250;',
    replace: 'const LOCK_MS = 0;',
    tests: ['e2e/locked-row.test.js'],
  },
  {
    name: 'rules about parameters are not asked',
    file: 'services/api/routing/mount-endpoints.ts',
    find: 'if (grant && limitsParameters(grant)) checkParameters(grant, dialect, request, ctx);',
    replace:
      'if (grant && limitsParameters(grant) && row.path === "") checkParameters(grant, dialect, request, ctx);',
    tests: ['api/policy-parameters.test.js'],
  },
  {
    name: 'limits of the wrapping time are not asked',
    file: 'services/api/routing/mount-endpoints.ts',
    find: 'if (grant && !allowsWrapping(grant, request.wrapSeconds)) throw dialect.denied(true);',
    replace: 'if (grant) allowsWrapping(grant, request.wrapSeconds);',
    tests: ['api/policy-parameters.test.js'],
  },
  {
    name: 'only the body as it was understood is held against denied values',
    file: 'services/api/routing/mount-endpoints.ts',
    find: 'sent, request.body].flatMap((part) =>',
    replace: '...[sent].slice(1), request.body].flatMap((part) =>',
    tests: ['api/policy-parameters.test.js'],
  },
  {
    name: 'a key of a rule that is not enforced is passed over',
    file: 'services/api/access/parse-rule.ts',
    find: 'if (!KEYS.includes(key)) {',
    replace: 'if (!KEYS.includes(key) && of === "") {',
    tests: ['api/policies-hcl.test.js'],
  },
  {
    name: 'a template in a policy is taken for letters',
    file: 'services/api/access/hcl/scan-text.ts',
    find: "if (text.startsWith('${', offset)) {",
    replace: "if (text === '' && text.startsWith('${', offset)) {",
    tests: ['api/policies-hcl.test.js'],
  },
];
