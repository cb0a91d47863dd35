import { Type, type Static } from 'typebox';
import type { Problem } from '../errors/request-error.ts';
import { flag, optionalInteger, sticky } from './attributes.ts';
import { attributeProblem, defineSettings, type Attributes } from './definition.ts';

const DAY_SECONDS = 86_400;
const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** The old names of the timeouts; they always have the same values as the new ones. */
const DEPRECATED: Record<string, 'plan-timeout' | 'apply-timeout'> = {
  'infra-build-worker-plan-timeout': 'plan-timeout',
  'infra-build-worker-apply-timeout': 'apply-timeout',
};

const schema = Type.Object({
  'limit-user-organization-creation': flag(true),
  'api-rate-limiting-enabled': flag(true),
  'api-rate-limit': Type.Integer({ minimum: 30, maximum: 1_000_000, default: 30 }),
  'send-passing-statuses-for-untriggered-speculative-plans': flag(false),
  'allow-speculative-plans-on-pull-requests-from-forks': flag(false),
  'default-remote-state-access': flag(true),
  'plan-timeout': sticky('2h'),
  'apply-timeout': sticky('24h'),
  'infra-build-worker-plan-timeout': sticky('2h'),
  'infra-build-worker-apply-timeout': sticky('24h'),
  'require-two-factor-for-admins': flag(false),
  'fair-run-queuing-enabled': flag(false),
  'limit-organizations-per-user': flag(false),
  'default-organizations-per-user-ceiling': optionalInteger({ minimum: 1 }),
  'limit-workspaces-per-organization': flag(false),
  'default-workspaces-per-organization-ceiling': optionalInteger({ minimum: 1 }),
});

export type GeneralSettings = Static<typeof schema>;

/** The service enforces only what concerns itself (the rate limit); the rest is stored for others to read. */
export const generalSettings = defineSettings({
  kind: 'general',
  type: 'general-settings',
  schema,
  normalise: mirrorTimeouts,
  findProblems: (_, asked) =>
    [...Object.values(DEPRECATED), ...Object.keys(DEPRECATED)].flatMap((name) => checkTimeout(name, asked)),
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

function checkTimeout(name: string, asked: Attributes): Problem[] {
  const value = asked[name];
  if (typeof value !== 'string') return [];
  const match = /^(\d+(?:\.\d+)?)([smh])$/.exec(value);
  const seconds = Number(match?.[1]) * (UNIT_SECONDS[match?.[2] ?? ''] ?? Number.NaN);
  if (seconds > 0 && seconds <= DAY_SECONDS) return [];
  return [attributeProblem(name, 'must be a number with the unit s, m or h, more than 0 and at most 24h')];
}
