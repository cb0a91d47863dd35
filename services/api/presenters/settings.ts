import { publicUrl, type Config } from '../../../libs/config/config.ts';
import type { Attributes } from '../../../libs/settings/definition.ts';
import type { RetentionPolicy } from '../../../libs/store/settings/retention.ts';

/** The addresses an identity provider needs to know of us. */
export function samlAddresses(config: Config): { consumer: string; metadata: string } {
  const base = publicUrl(config);
  return { consumer: `${base}/users/saml/auth`, metadata: `${base}/users/saml/metadata` };
}

/** A settings document from attributes that are redacted already. */
export function presentSettings(
  { id, type }: { id: string; type: string },
  attributes: Attributes,
  config: Config,
): object {
  return { data: { id, type, attributes: { ...attributes, ...derivedAttributes(id, config) } } };
}

/** The site's retention policy, which belongs to no organization or workspace. */
export function presentRetentionPolicy(policy: RetentionPolicy): object {
  return {
    data: {
      id: policy.id,
      type: 'data-retention-policy-delete-olders',
      attributes: { 'delete-older-than-n-days': policy.delete_older_than_days },
      relationships: { target: { data: null } },
    },
  };
}

function derivedAttributes(id: string, config: Config): Attributes {
  if (id !== 'saml') return {};
  const { consumer, metadata } = samlAddresses(config);
  return { 'acs-consumer-url': consumer, 'metadata-url': metadata };
}
