import { toBase64, toPem } from '../../../kit/certificate/pem.ts';
import { textOf } from '../../../schema-form/fields.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { chooseCertificate } from './choose-certificate.ts';
import type { IdpMetadata } from './read-metadata.ts';

/** What metadata bring for the form. `filled` has only what differs from the stored values. */
export type Filling = { entity: string; filled: Edits; notes: string[] };

const SIGN_OUT = 'slo-endpoint-url';
const NO_SIGN_IN =
  'They name no address for sign-in by HTTP-Redirect, which Sealift uses. Switch that on at the identity provider.';
const NO_SIGN_OUT =
  'They name no address for single logout. Its field gets the one for sign-in, because other programs need a value.';
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
  // The field must not stay empty, although nothing uses it.
  const standIn = signOut === null && !{ ...values, ...edits }[SIGN_OUT] ? signIn : null;
  const found: [name: string, value: string | null][] = [
    ['sso-endpoint-url', signIn],
    [SIGN_OUT, signOut ?? standIn],
    ['idp-cert', choice && choice.base64 !== accepted[0] ? toPem(choice.base64) : null],
  ];
  const filled = Object.fromEntries(
    found.filter(([name, value]) => value !== null && value !== values[name]),
  );
  return {
    entity,
    filled,
    notes: [
      ...(signIn === null ? [NO_SIGN_IN] : []),
      ...(standIn === null ? [] : [NO_SIGN_OUT]),
      ...(certificates.length === 0 ? [NO_CERTIFICATE] : []),
      ...(choice?.notes ?? []),
    ],
  };
}
