import type { SAML, SamlConfig } from '@node-saml/node-saml';
import type { Config } from '../../../libs/config/config.ts';
import { notFound } from '../../../libs/errors/request-error.ts';
import { normaliseCertificate, normalisePrivateKey } from '../../../libs/settings/certificates.ts';
import { loadDocument } from '../../../libs/settings/documents.ts';
import { samlSettings, type SamlSettings } from '../../../libs/settings/saml.ts';
import type { Context } from '../../../libs/service/context.ts';
import { samlAddresses } from '../presenters/settings.ts';

/** How far the clocks of the identity provider and ours may differ. */
export const CLOCK_SKEW_MS = 30_000;

/** The settings while single sign-on is on. Otherwise throws 404, as if there were no such endpoint. */
export async function loadEnabledSaml(services: Pick<Context, 'db' | 'keyring'>): Promise<SamlSettings> {
  const { attributes } = await loadDocument(services, samlSettings);
  const settings = attributes as SamlSettings;
  if (!settings.enabled) throw notFound();
  return settings;
}

/** The library's service provider for these settings. */
export async function createProvider(
  settings: SamlSettings,
  config: Config,
  generateUniqueId: () => string,
): Promise<SAML> {
  // The library takes a while to load, so only an installation with single sign-on loads it.
  const { SAML: Provider } = await import('@node-saml/node-saml');
  return new Provider({ ...providerOptions(settings, config), generateUniqueId });
}

/**
 * The library's options for these settings: data only, so that a thread can get them. The present and the old certificate
 * of the identity provider are accepted. We check ourselves whether an assertion was asked for and whether it was used
 * before.
 */
export function providerOptions(settings: SamlSettings, config: Config): SamlConfig {
  const { consumer, metadata } = samlAddresses(config);
  const certificates = [settings['idp-cert'], settings['old-idp-cert']].map(normaliseCertificate);
  return {
    issuer: metadata,
    audience: metadata,
    callbackUrl: consumer,
    entryPoint: settings['sso-endpoint-url'] ?? '',
    idpCert: certificates.filter((certificate) => certificate !== undefined),
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: settings['want-assertions-signed'],
    ...signingOptions(settings),
  };
}

/**
 * What the identity provider must know about us, as XML. Also works before single sign-on is enabled, when the settings
 * may hold anything.
 */
export async function createMetadata(settings: SamlSettings, config: Config): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml');
  const { consumer, metadata } = samlAddresses(config);
  const certificate = normaliseCertificate(settings.certificate);
  return generateServiceProviderMetadata({
    issuer: metadata,
    callbackUrl: consumer,
    identifierFormat: null,
    wantAssertionsSigned: settings['want-assertions-signed'],
    ...(certificate ? signingOptions(settings) : {}),
    ...(certificate ? { publicCerts: certificate, decryptionCert: certificate } : {}),
  });
}

function signingOptions(settings: SamlSettings): Partial<SamlConfig> {
  // The library accepts fewer forms of PEM than people use.
  const privateKey = normalisePrivateKey(settings['private-key']);
  if (!privateKey) return {};
  if (!settings['authn-requests-signed']) return { decryptionPvk: privateKey };
  const algorithm = settings['signature-signing-method'] === 'SHA1' ? 'sha1' : 'sha256';
  const digestAlgorithm = settings['signature-digest-method'] === 'SHA1' ? 'sha1' : 'sha256';
  return { decryptionPvk: privateKey, privateKey, signatureAlgorithm: algorithm, digestAlgorithm };
}
