import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CertificateAnswer } from '../../../../../api/contract/saml/certificates.ts';
import kit from '../../../kit/kit.module.css';
import { counted } from '../../../kit/text/counted.ts';
import { describeDay } from '../../../kit/time.tsx';
import styles from './certificates.module.css';

/** The certificates in the SAML settings, by the names of their fields. */
export type Certificates = Record<string, CertificateAnswer>;

/** Whose the stored certificates are and until when they are valid, by the names of their fields. */
export function certificateRemarks(certificates: Certificates = {}): Record<string, ReactNode> {
  return Object.fromEntries(
    Object.entries(certificates).map(([name, certificate]) => [
      name,
      <CertificateLines key={name} certificate={certificate} />,
    ]),
  );
}

/** What a certificate says of itself, in a few lines. */
export function CertificateLines({ certificate }: { certificate: CertificateAnswer }) {
  const { subject, issuer, fingerprint } = certificate;
  return (
    <span className={styles.lines}>
      <span>
        <Life certificate={certificate} />
      </span>
      <span>Subject: {subject || 'none'}</span>
      <span>Issuer: {issuer || 'none'}</span>
      <span>
        SHA-256 fingerprint: <code>{fingerprint}</code>
      </span>
    </span>
  );
}

const TONES = { not_yet_valid: kit.limited, ends_soon: kit.limited, ended: kit.person };

function Life({ certificate }: { certificate: CertificateAnswer }) {
  const { standing, 'valid-until': until } = certificate;
  if (standing === 'valid') return `Valid until ${describeDay(until)}.`;
  return (
    <span className={`${kit.chip} ${TONES[standing]}`}>
      <TriangleAlert size={14} aria-hidden />
      {wordsOf(standing, certificate)}
    </span>
  );
}

function wordsOf(standing: keyof typeof TONES, certificate: CertificateAnswer): string {
  const { 'valid-from': from, 'valid-until': until, 'days-left': days } = certificate;
  if (standing === 'not_yet_valid') return `Not valid before ${describeDay(from)}`;
  if (standing === 'ended') return `Expired on ${describeDay(until)}`;
  return `Expires in ${days > 0 ? counted(days, 'day') : 'less than a day'} (${describeDay(until)})`;
}

/** Why a certificate is not valid now, as the end of a sentence; empty if it is. */
export function faultOfCertificate(certificate: CertificateAnswer | undefined): string {
  if (certificate?.standing === 'ended') return `expired on ${describeDay(certificate['valid-until'])}`;
  if (certificate?.standing === 'not_yet_valid')
    return `is not valid before ${describeDay(certificate['valid-from'])}`;
  return '';
}

const NAMES = { 'idp-cert': 'the IdP certificate', certificate: 'the certificate of Sealift' };

/** What is wrong now with the certificates in use, as the ends of sentences. */
export function faultsOfCertificates(certificates: Certificates = {}): string[] {
  return Object.entries(NAMES).flatMap(([field, name]) => {
    const fault = faultOfCertificate(certificates[field]);
    return fault ? [`${name} ${fault}`] : [];
  });
}
