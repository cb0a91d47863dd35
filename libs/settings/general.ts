import { Type, type Static } from 'typebox';
import type { Problem } from '../errors/request-error.ts';
import { flag, older, optionalInteger, sticky, stored, titled } from './attributes.ts';
import { attributeProblem, defineSettings, type Attributes } from './definition.ts';

const DAY_SECONDS = 86_400;
const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };
const DURATION = 'a number with the unit s, m or h, more than 0 and at most 24h';

/** The old names of the timeouts; they always have the same values as the new ones. */
const DEPRECATED: Record<string, 'plan-timeout' | 'apply-timeout'> = {
  'infra-build-worker-plan-timeout': 'plan-timeout',
  'infra-build-worker-apply-timeout': 'apply-timeout',
};

const schema = Type.Object({
  'limit-user-organization-creation': stored(
    flag('Only site administrators may create organizations.', true),
  ),
  'api-rate-limiting-enabled': flag('Limit how many requests a client may send below `/api/v2`.', true),
  'api-rate-limit': Type.Integer({
    description: 'Maximum number of requests per second of one client below `/api/v2`.',
    minimum: 30,
    maximum: 1_000_000,
    default: 30,
  }),
  'send-passing-statuses-for-untriggered-speculative-plans': stored(
    flag(
      'Send a passing commit status for a pull request that changes no tracked file of a workspace.',
      false,
    ),
  ),
  'allow-speculative-plans-on-pull-requests-from-forks': stored(
    flag('Run speculative plans for pull requests from forks.', false),
  ),
  'default-remote-state-access': stored(flag('Default of `global-remote-state` for new workspaces.', true)),
  'plan-timeout': stored(sticky(`Default for the longest run of a plan: ${DURATION}.`, '2h')),
  'apply-timeout': stored(sticky(`Default for the longest run of an apply: ${DURATION}.`, '24h')),
  'infra-build-worker-plan-timeout': older(
    stored(titled('Plan timeout (old name)', sticky('Old name of `plan-timeout`.', '2h'))),
  ),
  'infra-build-worker-apply-timeout': older(
    stored(titled('Apply timeout (old name)', sticky('Old name of `apply-timeout`.', '24h'))),
  ),
  'require-two-factor-for-admins': stored(flag('Administrators need a second factor.', false)),
  'fair-run-queuing-enabled': stored(
    flag('Share the capacity for runs fairly between organizations.', false),
  ),
  'limit-organizations-per-user': stored(flag('Limit the number of organizations of one user.', false)),
  'default-organizations-per-user-ceiling': stored(
    optionalInteger('Default limit of organizations of one user.', { minimum: 1 }),
  ),
  'limit-workspaces-per-organization': stored(
    flag('Limit the number of workspaces of one organization.', false),
  ),
  'default-workspaces-per-organization-ceiling': stored(
    optionalInteger('Default limit of workspaces of one organization.', { minimum: 1 }),
  ),
});

export type GeneralSettings = Static<typeof schema>;

/** The service enforces only what concerns itself (the rate limit); the rest is stored for others to read. */
export const generalSettings = defineSettings({
  kind: 'general',
  type: 'general-settings',
  schema,
  normalise: mirrorTimeouts,
  findProblems: (_, patch) =>
    [...Object.values(DEPRECATED), ...Object.keys(DEPRECATED)].flatMap((name) => checkTimeout(name, patch)),
});

// The new name takes precedence if a request has both. Clients send null for "not changed".
function mirrorTimeouts(patch: Attributes): Attributes {
  const given = Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => value !== null || !name.endsWith('-timeout')),
  );
  for (const [old, name] of Object.entries(DEPRECATED)) {
    const value = given[name] ?? given[old];
    if (value !== undefined) Object.assign(given, { [name]: value, [old]: value });
  }
  return given;
}

function checkTimeout(name: string, patch: Attributes): Problem[] {
  const value = patch[name];
  if (typeof value !== 'string') return [];
  const match = /^(\d+(?:\.\d+)?)([smh])$/.exec(value);
  const seconds = Number(match?.[1]) * (UNIT_SECONDS[match?.[2] ?? ''] ?? Number.NaN);
  if (seconds > 0 && seconds <= DAY_SECONDS) return [];
  return [attributeProblem(name, `must be ${DURATION}`)];
}
