import { randomBytes } from 'node:crypto';
import { createToken } from '../../../libs/store/access/tokens.ts';
import { storeLoginRequest } from '../../../libs/store/settings/saml.ts';
import { loadCustomization } from '../../../libs/settings/customization.ts';
import type { SamlSettings } from '../../../libs/settings/saml.ts';
import type { Reply } from '../routing/endpoint.ts';
import type { ApiServices } from '../services.ts';
import { mapIdentity, type Identity } from './identity.ts';
import { loginPage, PAGE_HEADERS } from './page.ts';
import { createProvider, loadEnabledSaml } from './provider.ts';
import { verifyResponse, type Verified } from './verify.ts';

const REQUEST_LIFETIME_SECONDS = 600;

/** Sends the browser to the identity provider with a request that one answer is taken to. */
export async function beginLogin(services: ApiServices): Promise<Reply> {
  const settings = await loadEnabledSaml(services);
  const id = `_${randomBytes(20).toString('hex')}`;
  const provider = await createProvider(settings, services.config, () => id);
  await storeLoginRequest(services.db, id, REQUEST_LIFETIME_SECONDS);
  const location = await provider.getAuthorizeUrlAsync('', undefined, {});
  return { status: 302, headers: { Location: location } };
}

/** Takes the identity provider's answer and gives a session token: JSON where the caller prefers it, else a page. */
export async function finishLogin(
  services: ApiServices,
  { encoded, wantsJson }: { encoded: string; wantsJson: boolean },
): Promise<Reply> {
  const settings = await loadEnabledSaml(services);
  const verified = await verifyResponse(services, settings, encoded);
  const identity = mapIdentity(settings, verified.assertion);
  const lifetime = settings['sso-api-token-session-timeout'];
  const policies = identity.siteAdmin ? ['default', 'site-admin'] : ['default'];
  const { secret, accessor } = await createToken(services.db, services.installation.hashKey, {
    namespaceId: 'root',
    parentId: null,
    displayName: `saml-${identity.username}`,
    policies,
    meta: { username: identity.username },
    renewable: false,
    ttlSeconds: lifetime,
    explicitMaxTtlSeconds: lifetime,
  });
  const data = describeLogin(settings, identity, verified);
  if (!wantsJson) {
    const texts = await loadCustomization(services);
    return {
      status: 200,
      plain: { type: 'text/html', body: loginPage(secret, data, { texts, isNew: !identity.siteAdmin }) },
      headers: PAGE_HEADERS,
    };
  }
  const auth = {
    client_token: secret,
    accessor,
    policies,
    token_policies: policies,
    metadata: { username: identity.username },
    lease_duration: lifetime,
    renewable: false,
    entity_id: '',
    token_type: 'service',
    orphan: true,
  };
  return { status: 200, data, auth };
}

function describeLogin(
  settings: SamlSettings,
  identity: Identity,
  verified: Verified,
): Record<string, unknown> {
  const { username, groups, siteAdmin } = identity;
  const shown = { username, groups, site_admin: siteAdmin };
  if (!settings.debug || !siteAdmin) return shown;
  const attributes = Object.fromEntries(verified.assertion.attributes);
  return { ...shown, debug: { attributes, response_xml: verified.responseXml } };
}
