import type { SamlSettings } from '../../../libs/settings/saml.ts';
import type { Assertion } from './answer/assertion.ts';
import { refuseLogin } from './refuse-login.ts';

/** The user who has logged in, as the settings map the assertion's attributes. */
export type Identity = { username: string; groups: string[]; siteAdmin: boolean };

/** Throws 401 unless the assertion has exactly one user name. */
export function mapIdentity(settings: SamlSettings, { attributes }: Assertion): Identity {
  const names = attributes.get(settings['attr-username']) ?? [];
  const [username] = names;
  if (username === undefined)
    return refuseLogin('it lacks the attribute that gives the user name', 'user_name');
  if (names.length > 1) return refuseLogin('it gives more than one user name', 'user_name');
  // A line feed in it would begin a line of its own in logs and exports.
  if (/\p{Cc}/u.test(username)) return refuseLogin('its user name has control characters');
  const values = attributes.get(settings['attr-groups']) ?? [];
  const groups = settings['split-group-values'] ? splitGroups(values) : values;
  // The unsplit values count too, because the name of a single group may contain commas.
  return { username, groups, siteAdmin: isSiteAdmin(settings, attributes, [...values, ...groups]) };
}

// Providers send a value for each group, or one value with all groups.
function splitGroups(values: string[]): string[] {
  if (values.length !== 1) return values;
  return values.flatMap((value) => value.split(',').map((name) => name.trim())).filter(Boolean);
}

// If the assertion has the attribute, the attribute decides, even against the role.
function isSiteAdmin(settings: SamlSettings, attributes: Map<string, string[]>, groups: string[]): boolean {
  const decision = attributes.get(settings['attr-site-admin']);
  if (settings['attr-site-admin'] !== '' && decision !== undefined) {
    return decision.length === 1 && /^(true|1)$/i.test(decision[0] ?? '');
  }
  const role = settings['site-admin-role'];
  return role !== '' && groups.includes(role);
}
