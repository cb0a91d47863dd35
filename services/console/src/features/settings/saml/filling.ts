import { toBase64, toPem } from '../../../kit/certificate/pem.ts';
import { textOf } from '../../../schema-form/fields.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { chooseCertificate } from './choose-certificate.ts';
import type { IdpMetadata } from './read-metadata.ts';

/** What metadata bring for the form. `filled` has only what differs from the stored values. */
export type Filling = { entity: string; filled: Edits; notes: string[] };

const CERTIFICATES = ['idp-cert', 'old-idp-cert'];

/** What metadata of an identity provider say beyond the stored settings, and what they lack. */
export function fillFrom(metadata: IdpMetadata, values: Record<string, unknown>): Filling {
  const { entity, signIn, signOut, certificates } = metadata;
  const accepted = CERTIFICATES.map((name) => toBase64(textOf(values[name] ?? '')));
  const choice = chooseCertificate(certificates, accepted);
  const found: [name: string, value: string | null][] = [
    ['sso-endpoint-url', signIn],
    ['slo-endpoint-url', signOut],
    ['idp-cert', choice && choice.base64 !== accepted[0] ? toPem(choice.base64) : null],
  ];
  const filled = Object.fromEntries(
    found.filter(([name, value]) => value !== null && value !== values[name]),
  );
  return { entity, filled, notes: [...notesOn(metadata), ...(choice?.notes ?? [])] };
}

function notesOn({ signIn, signOut, certificates }: IdpMetadata): string[] {
  return [
    ...(signIn === null
      ? [
          'They name no sign-in URL for HTTP-Redirect, which Sealift uses: switch it on at the identity provider.',
        ]
      : []),
    ...(signOut === null ? ['They name no single logout URL: enter the sign-in URL there again.'] : []),
    ...(certificates.length === 0
      ? ['They have no signing certificate: download it at the identity provider, and load it below.']
      : []),
  ];
}
