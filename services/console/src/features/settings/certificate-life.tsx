import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CertificateAnswer } from '../../../../api/contract/saml/certificates.ts';
import kit from '../../kit/kit.module.css';
import { counted } from '../../kit/text/counted.ts';
import { describeDay } from '../../kit/time.tsx';

/** Until when the certificates of a settings document are valid, by the names of their fields. */
export function certificateRemarks(
  certificates: Record<string, CertificateAnswer> = {},
): Record<string, ReactNode> {
  return Object.fromEntries(
    Object.entries(certificates).map(([name, life]) => [name, <CertificateLife key={name} life={life} />]),
  );
}

const TONES = { not_yet_valid: kit.limited, ends_soon: kit.limited, ended: kit.person };

function CertificateLife({ life }: { life: CertificateAnswer }) {
  const { standing } = life;
  if (standing === 'valid') return `Valid until ${describeDay(life['valid-until'])}.`;
  return (
    <span className={`${kit.chip} ${TONES[standing]}`}>
      <TriangleAlert size={14} aria-hidden />
      {wordsOf(standing, life)}
    </span>
  );
}

function wordsOf(standing: keyof typeof TONES, life: CertificateAnswer): string {
  const [first, last] = [describeDay(life['valid-from']), describeDay(life['valid-until'])];
  if (standing === 'not_yet_valid') return `Not valid before ${first}`;
  if (standing === 'ended') return `Expired on ${last}`;
  const days = life['days-left'];
  return `Expires in ${days > 0 ? counted(days, 'day') : 'less than a day'} (${last})`;
}
