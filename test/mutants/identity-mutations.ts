import type { Mutation } from './mutation.ts';

const FIELDS = 'api/sync/identity.test.js';
const PUSHES = 'api/sync/identity-push.test.js';
const ISSUERS = 'service/issuer.test.js';
const UNSENT = 'sync/unsent-writes.test.js';
const ROLES = 'connectors/aws-secrets-manager/roles.test.js';

/** Mutations of identities without stored keys. */
export const identityMutations: Mutation[] = [
  {
    name: 'identity tokens of a namespace have the issuer of another',
    file: 'libs/sync/identity.ts',
    find: 'tokenIssuer(address, named.namespace)',
    replace: "tokenIssuer(address, '')",
    tests: [PUSHES],
  },
  {
    name: 'identity tokens are for another audience than the settings say',
    file: 'libs/sync/identity.ts',
    find: 'aud: audience,',
    replace: "aud: 'anybody',",
    tests: [PUSHES],
  },
  {
    name: 'a failed sign-in makes a write uncertain that was never sent',
    file: 'services/connectors/aws-secrets-manager/sign-in/sign-in.ts',
    find: 'return (properties) => beforeSending(() => assume(properties));',
    replace:
      'return (properties) => (roleArn ? assume(properties) : beforeSending(() => assume(properties)));',
    tests: [ROLES],
  },
  {
    name: 'a write that was never sent is uncertain',
    file: 'libs/sync/push/failure.ts',
    find: "mayLandLate: error.kind === 'external' && !error.unsent,",
    replace: "mayLandLate: error.kind === 'external',",
    tests: [UNSENT],
  },
  {
    name: 'a write that was never sent lets go of the name that the ledger holds for it',
    file: 'libs/sync/push/failure.ts',
    find: "cause: external, retry: 'backoff', ambiguous: true };",
    replace: "cause: external, retry: 'backoff', ambiguous: !error.unsent };",
    tests: [UNSENT],
  },
  {
    name: 'a call whose request went out counts as never sent',
    file: 'libs/egress/exchange.ts',
    find: 'error.unsent = this.#begun === undefined;',
    replace: 'error.unsent = this.#answer.status === 0;',
    tests: ['connectors/aws-secrets-manager/failures.test.js'],
  },
  {
    name: 'an identity token that was refused is not replaced',
    file: 'services/connectors/aws-secrets-manager/sign-in/sign-in.ts',
    find: 'if (!isTokenRefused(error)) return describe(error);',
    replace: 'if (!isTokenRefused(null)) return describe(error);',
    tests: [ROLES],
  },
  {
    name: 'a trust that the store does not know yet counts as refused',
    file: 'libs/connector/identity/identity.ts',
    find: 'mayLack.find((part) => identity.isSettling(part))',
    replace: "mayLack.find((part) => part === 'key' && identity.isSettling(part))",
    tests: [ROLES],
  },
  {
    name: 'a worker that no setting tells an issuer signs for its own port',
    file: 'libs/sync/identity.ts',
    find: "const issuer = address === '' ? '' : tokenIssuer(address, named.namespace);",
    replace: "const issuer = tokenIssuer(address || 'http://127.0.0.1:8200', named.namespace);",
    tests: [ISSUERS],
  },
  {
    name: 'doctor believes the API of another installation',
    file: 'services/cli/doctor/stated-issuer.ts',
    find: "own.has(String(key['kid'])))",
    replace: "(own.has(String(key['kid'])) || true))",
    tests: [ISSUERS],
  },
  {
    name: 'the status compares issuers only where ISSUER_URL is set',
    file: 'libs/service/diagnosis/issuer.ts',
    find: ': there.address !== right.address;',
    replace: ': there.address !== right.address && (there.isSet || right.isSet);',
    tests: [ISSUERS],
  },
  {
    name: 'an app that GitHub does not know yet counts as refused',
    file: 'services/connectors/github-secrets/client.ts',
    find: ' && context.isNew?.() ? failures',
    replace: ' && context.isNew?.() === null ? failures',
    tests: ['connectors/github-secrets/apps.test.js'],
  },
  {
    name: 'a trim leaves the old keys',
    file: 'libs/store/oidc/keys.ts',
    find: ".where('id', '<', transaction('oidc_keys').max('id'))",
    replace: ".where('id', '<', transaction('oidc_keys').min('id'))",
    tests: [PUSHES],
  },
  {
    name: 'keys are trimmed before their time',
    file: 'libs/store/oidc/keys.ts',
    find: '(trimAt === null || trimAt > options.now)) return [];',
    replace: 'trimAt === null) return [];',
    tests: ['key-maintenance/signing-key-timers.test.js'],
  },
  {
    name: 'a session with a role does not name its destination',
    file: 'services/connectors/aws-secrets-manager/sign-in/sign-in.ts',
    find: 'roleSessionName(identity.subject)',
    replace: "roleSessionName('')",
    tests: [ROLES],
  },
  {
    name: 'a worker lends its own identity to a namespace that may not use it',
    file: 'libs/sync/sessions.ts',
    find: 'if (ambientFault(destination, settings, operator) !== null)',
    replace: 'if (ambientFault(destination, settings, operator) === undefined)',
    tests: ['api/sync/destination-credentials.test.js'],
  },
  {
    name: 'a call that replaces a destination loses its audience',
    file: 'libs/connector/identity/identity.ts',
    find: 'return { ...Object.fromEntries(kept), ...base };',
    replace: 'return kept.length > 9 ? Object.fromEntries(kept) : base;',
    tests: [FIELDS],
  },
  {
    name: 'a destination may have an audience beside stored credentials',
    file: 'libs/connector/identity/identity.ts',
    find: 'if (isFederated && settings[identity.credential] !== undefined)',
    replace: 'if (isFederated && settings[identity.credential] === null)',
    tests: [FIELDS],
  },
  {
    name: 'a role may move to another account while secrets are linked',
    file: 'services/api/endpoints/destinations/fixed.ts',
    find: 'former[name] !== next[name]',
    replace: 'former[name] === name',
    tests: [FIELDS],
  },
  {
    name: 'a path that no namespace can have is an issuer',
    file: 'services/api/endpoints/oidc/identity-issuer.ts',
    find: 'namespacePathFault(namespace) !== null',
    replace: 'namespacePathFault(namespace) === undefined',
    tests: [FIELDS],
  },
];
