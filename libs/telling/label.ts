const ACRONYMS = new Set(
  'acs api arn aws gcp id kms oidc saml sha slo smtp sms sso ttl ui uri url'.split(' '),
);

/** A name as people write it. */
export function labelOf(name: string): string {
  const words = name.split(/[-_]/).map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
