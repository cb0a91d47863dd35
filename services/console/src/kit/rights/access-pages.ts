import type { Right } from '../../api/right.ts';

/**
 * A page. `also`: other words by which it is found. `right`: without it, the page shows nothing; absent: there is always
 * something to see.
 */
export type Place = { to: string; label: string; also?: string; right?: Right };

const list = (path: string): Right => ({ path, capability: 'list' });

/** The right to see teams. */
export const TEAMS = list('sys/teams');

/** The page that everyone may see, whatever else. */
export const SESSIONS: Place = { to: '/access/sessions', label: 'Sessions' };

/** The pages about access, in order. */
export const ACCESS: Place[] = [
  { to: '/access/tokens', label: 'Tokens', right: { path: 'auth/token/accessors', capability: 'sudo' } },
  { to: '/access/policies', label: 'Policies', right: list('sys/policies/acl') },
  { to: '/access/auth-methods', label: 'Auth methods', right: { path: 'sys/auth', capability: 'read' } },
  { to: '/access/teams', label: 'Teams', right: TEAMS },
  { to: '/access/namespaces', label: 'Namespaces', right: list('sys/namespaces') },
  SESSIONS,
];
