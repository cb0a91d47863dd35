import { describeCertificate } from '../../../libs/settings/certificates.ts';
import { loadCustomization } from '../../../libs/settings/customization.ts';
import type { SamlSettings } from '../../../libs/settings/saml.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { ApiServices } from '../services.ts';
import { samlAddresses } from '../presenters/settings.ts';
import { adviseOn } from './advice.ts';
import { mapIdentity, type Identity } from './identity.ts';
import { PAGE_HEADERS, testPage } from './page.ts';
import { choicesOf } from './rights.ts';
import type { VerifiedAnswer } from './answer/verify.ts';

/**
 * The answer to a test: a page that shows what the identity provider says of the person, and what follows from it. Nobody
 * is signed in by it. `isFormer`: it is signed with the old certificate alone.
 */
export async function showTest(
  services: ApiServices,
  settings: SamlSettings,
  verified: VerifiedAnswer & { isFormer: boolean },
) {
  const { attributes } = verified.assertion;
  const texts = await loadCustomization(services);
  const identity = mappedOrFault(settings, verified);
  const shown =
    typeof identity === 'string'
      ? { fault: identity, advice: adviseOn('user_name', settings, samlAddresses(services.config)), rows: {} }
      : { rows: { ...rowsOf(identity), ...(await policiesOf(services, identity)) } };
  const rows = { ...shown.rows, ...certificateOf(settings) };
  const { isFormer } = verified;
  const body = testPage({ ...shown, isFormer, rows, attributes: linesOf(attributes) }, texts);
  return { status: 200, plain: { type: 'text/html', body }, headers: PAGE_HEADERS };
}

const NO_TEAM = 'No team of this person has policies. Add one in the console, at Access › Teams.';

function linesOf(attributes: Map<string, string[]>): Record<string, string> {
  return Object.fromEntries([...attributes].map(([name, values]) => [name, values.join('\n')]));
}

// The attributes are most needed where they do not fit the settings.
function mappedOrFault(settings: SamlSettings, { assertion }: VerifiedAnswer): Identity | string {
  try {
    return mapIdentity(settings, assertion);
  } catch (error) {
    if (error instanceof RequestError) return error.problems.map(({ detail }) => detail ?? '').join(' ');
    throw error;
  }
}

function rowsOf({ username, groups, siteAdmin }: Identity): Record<string, string> {
  return {
    'User name': username,
    Teams: groups.length > 0 ? groups.join('\n') : 'None',
    'Site administrator': siteAdmin ? 'Yes' : 'No',
  };
}

// A log-in depends on its key, and not on when it is valid.
function certificateOf({ 'idp-cert': pem }: SamlSettings): Record<string, string> {
  const life = describeCertificate(pem);
  if (!life) return {};
  const day = (time: Date): string => time.toISOString().slice(0, 10);
  const said = {
    not_yet_valid: `Not valid before ${day(life.from)}; already accepted`,
    valid: `Valid until ${day(life.until)}`,
    ends_soon: `Valid until ${day(life.until)}`,
    ended: `Ended on ${day(life.until)}; still accepted`,
  };
  return { 'IdP certificate': said[life.standing] };
}

async function policiesOf(services: ApiServices, identity: Identity): Promise<Record<string, string>> {
  const choices = await choicesOf(services, identity, null);
  const rows = choices.map(({ path, policies }): [string, string] => [
    `Policies in ${path === '' ? 'the root namespace' : `the namespace ${path}/`}`,
    policies.join('\n'),
  ]);
  const isMore = choices.some(({ policies }) => policies.length > 1);
  return Object.fromEntries(isMore ? rows : [...rows, ['What is missing', NO_TEAM]]);
}
