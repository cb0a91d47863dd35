import type { Mutation } from './mutation.ts';

/** Mutations of what a destination may reach on the network. */
export const networkMutations: Mutation[] = [
  {
    name: 'a destination with networking limits reaches every port',
    file: 'libs/egress/limits.ts',
    find: 'if (ports.length === 0 || ports.includes(port)) return null;',
    replace: 'if (ports.length === 0 || port > 0) return null;',
    tests: ['egress/limits.test.js'],
  },
  {
    name: 'a destination with networking limits reaches every literal address',
    file: 'libs/egress/limits.ts',
    find: '(isIP(hostname) ? refuseAddress(hostname, limits) : null)',
    replace: '(isIP(hostname) === 9 ? refuseAddress(hostname, limits) : null)',
    tests: ['egress/limits.test.js'],
  },
  {
    name: 'a destination with networking limits reaches whatever its names lead to',
    file: 'libs/egress/agent.ts',
    find: 'const refuse = guard ?? (networkLimits && limit);',
    replace: 'const refuse = guard ?? (networkLimits === null && limit);',
    tests: ['e2e/network-limits.test.js'],
  },
  {
    name: 'a name that the guard lets pass may lead outside the networking limits',
    file: 'libs/egress/agent.ts',
    find: '? refuseAddress(address, rules.networkLimits)',
    replace: '? refuseAddress(address, undefined)',
    tests: ['egress/limits.test.js'],
  },
  {
    name: 'the networking limits of a destination do not reach its connector',
    file: 'libs/sync/sessions.ts',
    find: 'networkLimits: networkLimits(settings),',
    replace: 'networkLimits: networkLimits({}),',
    tests: ['e2e/network-limits.test.js'],
  },
  {
    name: 'a cluster is asked about a token at any address',
    file: 'libs/egress/fetch-once.ts',
    find: 'const agent = guardedAgent(url, { egressAllow }, options);',
    replace:
      "const agent = guardedAgent(url, { egressAllow: [...egressAllow, '0.0.0.0/0', '::/0'] }, options);",
    tests: ['api/auth/token-reviewers.test.js'],
  },
  {
    name: 'a name may lead to a special-purpose address',
    file: 'libs/egress/guard.ts',
    find: 'return isPublic(address) || isAllowed(address, rules) || isAllowed(host, rules);',
    replace:
      "return isPublic(address) || isAllowed(address, rules) || isAllowed(host, rules) || host !== '';",
    tests: ['egress/connection.test.js'],
  },
  {
    name: 'the address of a platform counts as public',
    file: 'libs/egress/guard.ts',
    find: ' || PLATFORM_ADDRESSES.has(address.toString())) return false;',
    replace: " || PLATFORM_ADDRESSES.has('')) return false;",
    tests: ['egress/guard.test.js'],
  },
  {
    name: 'a sign-in is not held to the networking limits of its destination',
    file: 'services/connectors/azure-key-vault/authority.ts',
    find: 'keepAliveAgent(address.origin, context, {',
    replace: 'keepAliveAgent(address.origin, {}, {',
    tests: ['e2e/network-limits.test.js'],
  },
];
