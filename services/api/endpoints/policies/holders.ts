import {
  listGivingRoles,
  listHoldingTokens,
  type GivingRole,
} from '../../../../libs/store/access/holders.ts';
import { matchesGlob } from '../../../../libs/validation/glob.ts';
import { policyHoldersAnswer } from '../../contract/tokens.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';

/** Most tokens, and most roles and teams, of one namespace that a question about rights looks at. */
export const MOST_HOLDERS = 10_000;
const MOST_SHOWN = 50;

/** Who has a policy, to be asked before it is changed or deleted. */
export const policyHolderEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/policies/acl/:name/holders',
    access: 'policy',
    summary: 'Read which live tokens, roles and teams of the namespace have a policy',
    answers: { 200: { data: policyHoldersAnswer } },
    handle: async ({ services, namespace, params }) => {
      const name = (params['name'] ?? '').toLowerCase();
      const [all, given] = await Promise.all([
        listHoldingTokens(services.db, namespace.id, MOST_HOLDERS),
        listGivingRoles(services.db, namespace.id, MOST_HOLDERS),
      ]);
      const tokens = all.filter(({ policies }) => policies.includes(name));
      const roles = given.filter((role) => givesPolicy(role, name));
      return ok({
        name,
        tokens: tokens.slice(0, MOST_SHOWN).map((token) => ({
          name: token.display_name,
          user: token.username,
          expire_time: token.ends_at?.toISOString() ?? null,
          sessions: token.sessions,
        })),
        roles: roles
          .slice(0, MOST_SHOWN)
          .map(({ of: kind, mount, name: own }) => ({ kind, mount, name: own })),
        totals: {
          tokens: tokens.length,
          sessions: tokens.reduce((sum, { sessions }) => sum + sessions, 0),
          roles: roles.length,
        },
        is_complete: all.length < MOST_HOLDERS && given.length < MOST_HOLDERS,
      });
    },
  }),
];

/** Whether the tokens of a role or of a team get a policy, or may get it. */
export function givesPolicy({ policies, globs }: GivingRole, name: string): boolean {
  return policies.includes(name) || globs.some((glob) => matchesGlob(glob, name));
}
