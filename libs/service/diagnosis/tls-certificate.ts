import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { codeOf, failed, passed, warning, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;
// Authorities that renew by themselves do so earlier.
const SOON_DAYS = 14;

/** Whether callers can trust the API's own certificate by its dates. Nothing is said where a proxy serves TLS. */
export function examineTlsCertificate({ TLS_CERT_FILE: path }: Config): Finding[] {
  if (!path) return [];
  try {
    const { validFrom, validTo } = new X509Certificate(readFileSync(path));
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
    const end = new Date(validTo).toISOString().slice(0, 10);
    const renew = 'renew the certificate in TLS_CERT_FILE; the API takes a new file by itself';
    if (Date.parse(validFrom) > Date.now())
      return [failed('TLS certificate', 'the certificate of the API is not valid yet', renew)];
    if (days < 0) return [failed('TLS certificate', `the certificate of the API ended on ${end}`, renew)];
    if (days < SOON_DAYS)
      return [warning('TLS certificate', `the certificate of the API ends on ${end}`, renew)];
    return [passed('TLS certificate', `the certificate of the API is valid until ${end}`)];
  } catch (error) {
    const advice = 'correct TLS_CERT_FILE: PEM with the certificate first, readable by this user';
    return [failed('TLS certificate', `the certificate of the API cannot be read: ${codeOf(error)}`, advice)];
  }
}
