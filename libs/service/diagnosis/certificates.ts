import { counted } from '../../collections/counted.ts';
import type { Database } from '../../db/connect.ts';
import { describeCertificate, SOON_DAYS, type CertificateFacts } from '../../settings/certificates.ts';
import { SAML_CERTIFICATES, samlSettings } from '../../settings/saml.ts';
import { findSettings } from '../../store/settings/settings.ts';
import { passed, warning, type Finding } from './finding.ts';

const TEXTS: Record<(typeof SAML_CERTIFICATES)[number], { subject: string; advice: string }> = {
  'idp-cert': {
    subject: 'the IdP certificate of single sign-on',
    advice: 'replace it with the certificate that the identity provider uses now',
  },
  'old-idp-cert': {
    subject: 'the former IdP certificate of single sign-on',
    advice: 'revoke it: see docs/single-sign-on.md',
  },
  certificate: {
    subject: 'the certificate of Sealift for single sign-on',
    advice: 'create a new certificate and key, and give the identity provider the metadata again',
  },
};

/**
 * Warns of certificates of the single sign-on that are not valid yet, have ended, or end soon. Says nothing while
 * single sign-on is off.
 */
export async function examineCertificates(db: Database): Promise<Finding[]> {
  const { attributes = {} } = (await findSettings(db, samlSettings.kind)) ?? {};
  if (attributes['enabled'] !== true) return [];
  const findings = SAML_CERTIFICATES.flatMap((name): Finding[] => {
    const facts = describeCertificate(attributes[name]);
    if (!facts || facts.standing === 'valid') return [];
    const { subject, advice } = TEXTS[name];
    return [warning('certificates', `${subject} ${describeStanding(facts)}`, advice)];
  });
  if (findings.length > 0) return findings;
  return [passed('certificates', `those for single sign-on are valid for ${SOON_DAYS} days or longer`)];
}

function describeStanding({ standing, from, until, days }: CertificateFacts): string {
  const day = (time: Date): string => time.toISOString().slice(0, 10);
  if (standing === 'not_yet_valid') return `is not valid before ${day(from)}`;
  if (standing === 'ended') return `expired on ${day(until)}`;
  return `expires on ${day(until)}, in ${counted(days, 'day')}`;
}
