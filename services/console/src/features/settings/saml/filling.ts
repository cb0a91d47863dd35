import { toBase64, toPem } from '../../../kit/certificate/pem.ts';
import { textOf } from '../../../schema-form/fields.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { chooseCertificate } from './choose-certificate.ts';
import type { IdpMetadata } from './read-metadata.ts';

/** What metadata bring for the form. `filled` has only what differs from the stored values. */
export type Filling = { entity: string; filled: Edits; notes: string[] };

const SIGN_IN = 'sso-endpoint-url';
const SIGN_OUT = 'slo-endpoint-url';
const NO_SIGN_IN =
  'They name no address for sign-in by HTTP-Redirect, which Sealift uses. Switch that on at the identity provider.';
const NO_SIGN_OUT =
  'They name no address for single logout. Its field gets the one for sign-in, because other programs need a value.';
const OTHER_SIGN_OUT =
  'They name no address for single logout. Its field had that of the former provider, and gets the one for sign-in, because other programs need a value.';
const KEPT_SIGN_OUT =
  'They name no address for single logout. Its field keeps the address that it had: check that it belongs to this provider.';
const NO_HTTPS =
  'Their address for sign-in or single logout does not begin with https, which Sealift requires. Switch https on at the identity provider, and load its metadata again.';
const FORMER_CERTIFICATE =
  'Sealift goes on accepting the certificate of the former provider until you revoke it below. Do that as soon as people sign in at this one.';
const NO_CERTIFICATE =
  'They have no signing certificate. Download it at the identity provider, and load it below.';
const CERTIFICATES = ['idp-cert', 'old-idp-cert'];

/** What metadata of an identity provider say beyond the stored settings, and what they lack. */
export function fillFrom(
  metadata: IdpMetadata,
  { values, edits }: { values: Record<string, unknown>; edits: Edits },
): Filling {
  const { entity, signIn, signOut, certificates } = metadata;
  const accepted = CERTIFICATES.map((name) => toBase64(textOf(values[name] ?? '')));
  const choice = chooseCertificate(certificates, accepted);
  const instead = signOut === null ? standInFor({ ...values, ...edits }, signIn) : null;
  const found: [name: string, value: string | null][] = [
    [SIGN_IN, signIn],
    [SIGN_OUT, signOut ?? instead?.value ?? null],
    ['idp-cert', choice && choice.base64 !== accepted[0] ? toPem(choice.base64) : null],
  ];
  const filled = Object.fromEntries(
    found.filter(([name, value]) => value !== null && value !== values[name]),
  );
  const isFormerKept = Boolean(accepted[0]) && Object.hasOwn(filled, 'idp-cert');
  const isOtherProvider = hostOf(values[SIGN_IN]) !== hostOf(signIn);
  return {
    entity,
    filled,
    notes: [
      ...(signIn === null ? [NO_SIGN_IN] : []),
      ...(instead ? [instead.note] : []),
      ...([signIn, signOut].some((url) => url !== null && !/^https:/i.test(url)) ? [NO_HTTPS] : []),
      ...(certificates.length === 0 ? [NO_CERTIFICATE] : []),
      ...(choice?.notes ?? []),
      ...(isFormerKept && isOtherProvider ? [FORMER_CERTIFICATE] : []),
    ],
  };
}

// The field for single logout must not stay empty, although nothing uses it, nor keep what belongs to another provider.
function standInFor(
  shown: Record<string, unknown>,
  signIn: string | null,
): { value: string | null; note: string } | null {
  const present = shown[SIGN_OUT];
  const formerSignIn = shown[SIGN_IN];
  if (signIn === null) return null;
  if (!present) return { value: signIn, note: NO_SIGN_OUT };
  if (!formerSignIn || formerSignIn === signIn || present === signIn) return null;
  return hostOf(present) === hostOf(formerSignIn)
    ? { value: signIn, note: OTHER_SIGN_OUT }
    : { value: null, note: KEPT_SIGN_OUT };
}

function hostOf(url: unknown): string {
  return URL.parse(textOf(url ?? ''))?.host ?? '';
}
