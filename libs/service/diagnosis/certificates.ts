import type { Database } from '../../db/connect.ts';
import { endOfCertificate } from '../../settings/certificates.ts';
import { samlSettings } from '../../settings/saml.ts';
import { findSettings } from '../../store/settings/settings.ts';
import { passed, warning, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

const CERTIFICATES = [
  ['idp-cert', 'the certificate of the identity provider', 'set the present one of the identity provider'],
  [
    'old-idp-cert',
    'the former certificate of the identity provider',
    'revoke it: see docs/single-sign-on.md',
  ],
  [
    'certificate',
    'the certificate of Sealift',
    'make a new pair, and give the identity provider the metadata again',
  ],
] as const;

/**
 * Warns of certificates of the single sign-on that have ended or end within 30 days. Says nothing while single sign-on is
 * off.
 */
export async function examineCertificates(db: Database): Promise<Finding[]> {
  const { attributes = {} } = (await findSettings(db, samlSettings.kind)) ?? {};
  if (attributes['enabled'] !== true) return [];
  const findings = CERTIFICATES.flatMap(([name, subject, advice]): Finding[] => {
    const pem = attributes[name];
    const end = typeof pem === 'string' ? endOfCertificate(pem) : undefined;
    if (end === undefined) return [];
    const days = Math.floor((end.getTime() - Date.now()) / DAY_MS);
    if (days >= SOON_DAYS) return [];
    const when = end.toISOString().slice(0, 10);
    const said = days < 0 ? `ended on ${when}` : `ends on ${when}, in ${days} day${days === 1 ? '' : 's'}`;
    return [warning('certificates', `${name}: ${subject} ${said}`, advice)];
  });
  if (findings.length > 0) return findings;
  return [passed('certificates', `those of single sign-on are valid for ${SOON_DAYS} days or longer`)];
}
