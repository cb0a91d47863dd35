import type { SamlSettings } from '../../../libs/settings/saml.ts';
import type { Assertion } from './assertion.ts';
import { refuseLogin } from './verify.ts';

/** Who has logged in, as the settings map the assertion's attributes. */
export type Identity = { username: string; groups: string[]; siteAdmin: boolean };

/** Throws 401 where the assertion does not say exactly one user name. */
export function mapIdentity(settings: SamlSettings, { attributes }: Assertion): Identity {
  const names = attributes.get(settings['attr-username']) ?? [];
  const [username] = names;
  if (username === undefined) return refuseLogin('it lacks the attribute that gives the user name');
  if (names.length > 1) return refuseLogin('it gives several user names');
  const values = attributes.get(settings['attr-groups']) ?? [];
  const groups = splitGroups(values);
  // A single name may have commas of its own.
  return { username, groups, siteAdmin: isSiteAdmin(settings, attributes, [...values, ...groups]) };
}

// Providers send a value for each group, or one value for all of them.
function splitGroups(values: string[]): string[] {
  if (values.length !== 1) return values;
  return values.flatMap((value) => value.split(',').map((name) => name.trim())).filter(Boolean);
}

// Where the attribute is there, it decides, against the role as well.
function isSiteAdmin(settings: SamlSettings, attributes: Map<string, string[]>, groups: string[]): boolean {
  const decision = attributes.get(settings['attr-site-admin']);
  if (settings['attr-site-admin'] !== '' && decision !== undefined) {
    return decision.length === 1 && /^(true|1)$/i.test(decision[0] ?? '');
  }
  const role = settings['site-admin-role'];
  return role !== '' && groups.includes(role);
}
