import { publicUrl, type Config } from '../../../libs/config/config.ts';
import { hasMark, type Attributes, type SettingsDefinition } from '../../../libs/settings/definition.ts';
import type { StoredDocument } from '../../../libs/settings/documents.ts';
import { redactDocument } from '../../../libs/settings/redact.ts';
import { describeCertificate } from '../../../libs/settings/certificates.ts';
import { SAML_CERTIFICATES, samlSettings } from '../../../libs/settings/saml.ts';
import type { RetentionAnswer, SettingsAnswer } from '../contract/administration.ts';
import type { CertificateAnswer } from '../contract/saml/certificates.ts';
import { presentChangedMeta } from './changed.ts';
import type { RetentionPolicy } from '../../../libs/store/settings/retention.ts';

/** Our addresses that an identity provider needs to know. */
export function samlAddresses(config: Config): { consumer: string; metadata: string } {
  const base = publicUrl(config);
  return { consumer: `${base}/users/saml/auth`, metadata: `${base}/users/saml/metadata` };
}

/** A settings document without its secrets; `meta.set` names the secrets that are set and never shown. */
export function presentSettings(
  definition: SettingsDefinition,
  { id, type }: { id: string; type: string },
  document: StoredDocument,
  config: Config,
): SettingsAnswer {
  const { attributes, ...stamp } = document;
  const shown = redactDocument(definition, attributes);
  const meta = {
    ...presentChangedMeta(stamp),
    set: Object.entries(definition.schema.properties)
      .filter(([name, property]) => hasMark(property, 'sensitive') && !Object.hasOwn(shown, name))
      .flatMap(([name]) => (attributes[name] ? [name] : [])),
    ...(definition === samlSettings
      ? { certificates: presentCertificates(attributes), 'public-url': config.PUBLIC_URL }
      : {}),
  };
  return { data: { id, type, attributes: { ...shown, ...derivedAttributes(id, config) }, meta } };
}

/** What the certificates in a document of SAML say, by the names of their attributes. */
export function presentCertificates(attributes: Attributes): Record<string, CertificateAnswer> {
  const entries = SAML_CERTIFICATES.flatMap((name): [string, CertificateAnswer][] => {
    const facts = describeCertificate(attributes[name]);
    if (!facts) return [];
    const { from, until, days, ...rest } = facts;
    return [[name, { ...rest, 'valid-from': from, 'valid-until': until, 'days-left': days }]];
  });
  return Object.fromEntries(entries);
}

/** The site's retention policy, which belongs to no organization or workspace. */
export function presentRetentionPolicy(policy: RetentionPolicy): RetentionAnswer {
  return {
    data: {
      id: policy.id,
      type: 'data-retention-policy-delete-olders',
      attributes: { 'delete-older-than-n-days': policy.delete_older_than_days },
      relationships: { target: { data: null } },
    },
  };
}

/** Attributes that follow from the configuration. */
export function derivedAttributes(id: string, config: Config): Attributes {
  if (id !== 'saml') return {};
  const { consumer, metadata } = samlAddresses(config);
  return { 'acs-consumer-url': consumer, 'metadata-url': metadata };
}
