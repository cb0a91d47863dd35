import { validityOfBase64 } from '../../../kit/certificate/pem.ts';
import type { Validity } from '../../../kit/certificate/validity.ts';
import { describeDay } from '../../../kit/time.tsx';

/** The certificate to accept, as DER in base64, and what to know about it. */
export type ChosenCertificate = { base64: string; notes: string[] };

type Candidate = { base64: string; validity: Validity | null; rank: number };

/**
 * Chooses among the signing certificates of an identity provider: the first that is valid and not among those that are accepted
 * already, so that a second look at the same metadata brings the next one. Null: there is none.
 */
export function chooseCertificate(certificates: string[], accepted: string[]): ChosenCertificate | null {
  const candidates = certificates.map(candidateOf).toSorted((one, other) => one.rank - other.rank);
  const usable = candidates.filter(({ rank }) => rank < ENDED);
  const pool = usable.length > 0 ? usable : candidates;
  const missing = pool.filter(({ base64 }) => !accepted.includes(base64));
  const present = pool.find(({ base64 }) => base64 === accepted[0]);
  const chosen = missing[0] ?? present ?? pool[0];
  if (!chosen) return null;
  const several = noteOnSeveral(chosen, {
    count: certificates.length,
    missing: missing.length,
    isFirst: !accepted[0],
  });
  const notes = [...several, ...noteOnEnd(chosen)];
  return { base64: chosen.base64, notes };
}

// What is valid now comes first, then what will be.
const LATER = 1;
const ENDED = 2;

function candidateOf(base64: string): Candidate {
  const validity = validityOfBase64(base64);
  const now = new Date();
  const rank = !validity ? 0 : validity.until < now ? ENDED : validity.from > now ? LATER : 0;
  return { base64, validity, rank };
}

function noteOnSeveral(
  { validity }: Candidate,
  { count, missing, isFirst }: { count: number; missing: number; isFirst: boolean },
): string[] {
  if (count === 1) return [];
  const has = `The identity provider has ${count} signing certificates.`;
  if (missing === 0) return [`${has} None of them is new here.`];
  const taken = `${has} The first new one is filled in${validity ? `, valid until ${describeDay(validity.until)}` : ''}.`;
  if (missing > 1)
    return [`${taken} To accept the next one too, save these settings, and then load the metadata again.`];
  return [isFirst ? taken : `${taken} The present one is accepted too until you revoke it.`];
}

function noteOnEnd({ rank, validity }: Candidate): string[] {
  if (rank !== ENDED || !validity) return [];
  return [
    `The certificate expired on ${describeDay(validity.until)}. Load newer metadata if the identity provider has some.`,
  ];
}
