import { limitedAddress } from '../access/client-address.ts';
import { randomBytes } from 'node:crypto';
import type { AuditWho } from '../../../libs/store/audit/events.ts';
import type { TeamNamespace } from '../../../libs/store/access/teams.ts';
import { createToken, newAccessor, personName, type NewToken } from '../../../libs/store/access/tokens.ts';
import { storeLoginRequest } from '../../../libs/store/settings/saml.ts';
import { loadCustomization } from '../../../libs/settings/customization.ts';
import type { SamlSettings } from '../../../libs/settings/saml.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import type { ApiRequest } from '../routing/endpoint.ts';
import type { LoginAnswer } from '../contract/sessions.ts';
import type { ApiServices } from '../services.ts';
import { mapIdentity, type Identity } from './identity.ts';
import { loginPage, PAGE_HEADERS } from './page.ts';
import { samlResponseOf } from './answer/form.ts';
import { createProvider, loadEnabledSaml } from './provider.ts';
import { RefusedTest } from './refuse-login.ts';
import { choicesOf, rightsOf } from './rights.ts';
import { showTest } from './test-sign-in.ts';
import { hashNonce, letWait, LOGIN_SECONDS } from './waiting-session.ts';
import { needsFormerCertificate, verifyResponse, type VerifiedAnswer } from './answer/verify.ts';

// How the id of a test begins. No other id does: the rest is hexadecimal.
const TEST = '_test-';
// Of an answer in base64: the outermost element, which names the request, is at the beginning.
const MOST_READ = 16_384;

/** The path of tokens that only a session of the console has. They end with the session. */
export const CONSOLE_TOKEN_PATH = 'auth/session/saml';

/**
 * Returns the address that sends the browser to the identity provider, with a request to which we accept one answer. The
 * person signs in to the namespace of that path, which may not exist; null: to the root, or in a browser to one of their choice.
 * With a nonce, which the browser keeps, the answer begins a session of that browser instead of giving a token. The answer to a
 * test is only shown.
 */
export async function beginLogin(
  services: ApiServices,
  { nonce, namespace, isTest }: { nonce?: string; namespace: string | null; isTest?: boolean },
): Promise<string> {
  const settings = await loadEnabledSaml(services);
  const id = `${isTest ? TEST : '_'}${randomBytes(20).toString('hex')}`;
  const provider = await createProvider(settings, services.config, () => id);
  await storeLoginRequest(services.db, {
    id,
    lifetimeSeconds: LOGIN_SECONDS,
    nonceHash: nonce === undefined ? null : hashNonce(services, nonce),
    namespace,
  });
  return provider.getAuthorizeUrlAsync('', undefined, {});
}

/**
 * Handles the identity provider's answer. If a browser asked for a session, the session is pending from now on: our own
 * page fetches it in the browser, because this request comes from a page of the provider. All others get a token: as
 * JSON if the caller prefers that, otherwise on a page.
 */
export async function finishLogin(
  {
    services,
    identified,
    address,
    browser: browserOf,
  }: Pick<ApiRequest, 'services' | 'identified' | 'address' | 'browser'>,
  { form, wantsJson }: { form: string; wantsJson: boolean },
) {
  const settings = await loadEnabledSaml(services);
  const encoded = samlResponseOf(form);
  const answer = { encoded, address: limitedAddress(address) };
  const refuse = (error: unknown): never => {
    throw error instanceof RequestError && namesTest(encoded) ? new RefusedTest(error) : error;
  };
  const verified = await verifyResponse(services, settings, answer).catch(refuse);
  if (verified.requestId?.startsWith(TEST)) {
    const isFormer = await needsFormerCertificate(services, settings, answer).catch(refuse);
    return showTest(services, settings, { ...verified, isFormer });
  }
  const identity = mapIdentity(settings, verified.assertion);
  const { nonceHash } = verified;
  const accessor = newAccessor();
  if (nonceHash) {
    const [rights, ...others] = await choicesOf(services, identity, verified.namespace);
    const token = { ...tokenOf(settings, identity, rights), path: CONSOLE_TOKEN_PATH, accessor };
    const choices = others.length > 0 ? { choices: [rights, ...others] } : {};
    await identified(whoHasLoggedIn(token));
    return letWait(services, browserOf(), { nonceHash, token: { ...token, ...choices } });
  }
  const rights = await rightsOf(services, identity, verified.namespace ?? '');
  const token = { ...tokenOf(settings, identity, rights), accessor };
  const { policies } = token;
  await identified(whoHasLoggedIn(token));
  const { secret } = await createToken(services.db, services.installation.hashKey, token);
  const data = describeLogin(settings, identity, verified);
  if (!wantsJson) {
    const texts = await loadCustomization(services);
    return {
      status: 200,
      plain: { type: 'text/html', body: loginPage(secret, data, { texts, isNew: policies.length === 1 }) },
      headers: PAGE_HEADERS,
    };
  }
  const auth = {
    client_token: secret,
    accessor,
    policies,
    token_policies: policies,
    metadata: { username: identity.username },
    lease_duration: token.ttlSeconds,
    renewable: false,
    entity_id: '',
    token_type: 'service',
    orphan: true,
  };
  return { status: 200, data, auth };
}

// An answer that is refused may be anybody's, so what it names decides the words of the page only.
function namesTest(encoded: string): boolean {
  const text = Buffer.from(encoded.slice(0, MOST_READ), 'base64').toString('latin1');
  return text.includes(`InResponseTo="${TEST}`);
}

/** The person at the end of a log-in, for the audit trail. */
export function whoHasLoggedIn({ accessor, displayName: actor, meta, policies }: NewToken): AuditWho {
  const username = meta?.['username'] ?? null;
  return { accessor: accessor ?? null, actor, username, authMethod: 'saml', policies };
}

function tokenOf(
  settings: SamlSettings,
  { username }: Identity,
  { namespaceId, policies }: TeamNamespace,
): NewToken {
  const lifetime = settings['sso-api-token-session-timeout'];
  return {
    namespaceId,
    parentId: null,
    displayName: personName(username),
    policies,
    meta: { username },
    renewable: false,
    ttlSeconds: lifetime,
    explicitMaxTtlSeconds: lifetime,
  };
}

function describeLogin(settings: SamlSettings, identity: Identity, verified: VerifiedAnswer): LoginAnswer {
  const { username, groups, siteAdmin } = identity;
  const shown = { username, groups, site_admin: siteAdmin };
  if (!settings.debug || !siteAdmin) return shown;
  const attributes = Object.fromEntries(verified.assertion.attributes);
  return { ...shown, debug: { attributes, response_xml: verified.responseXml } };
}
