import { labelOf } from '../../../libs/telling/label.ts';
import { describeCertificate } from '../../../libs/settings/certificates.ts';
import { samlSettings, type SamlSettings } from '../../../libs/settings/saml.ts';
import type { LoginFault } from './refuse-login.ts';

/** What an administrator can do about a refused answer, from its kind. */
export function adviseOn(
  fault: LoginFault | undefined,
  settings: SamlSettings,
  { metadata, consumer }: { metadata: string; consumer: string },
): string {
  const advice: Record<LoginFault, string> = {
    audience: `The answer is not for the entity ID of Sealift. Enter ${metadata} as the entity ID (audience) of Sealift at the identity provider.`,
    recipient: `The answer is not for the ACS URL of Sealift. Enter ${consumer} as the ACS URL of Sealift at the identity provider.`,
    signature: `Compare “${titleOf('idp-cert')}” in the SAML settings with the certificate that the identity provider signs with now. Accepted are those with these SHA-256 fingerprints:\n${acceptedPrints(settings)}`,
    unsigned: `Let the identity provider sign its assertions. If it signs the whole answer alone, turn off “${titleOf('want-assertions-signed')}” in the SAML settings.`,
    sha1: `Let the identity provider sign with SHA-256. If it cannot, turn on “${titleOf('accept-sha1-signatures')}” in the SAML settings.`,
    time: 'Compare the clocks of Sealift and of the identity provider: they may differ by 30 seconds. Then sign in again, because an answer is valid for some minutes only.',
    user_name: `Sealift looked for the user name in the attribute “${settings['attr-username']}”, which “${titleOf('attr-username')}” in the SAML settings names. Enter the attribute there that has the user name, or let the identity provider send this one with a single value.`,
    reported:
      'The identity provider refused the sign-in. Often the person is not assigned to the application there. Its log says why.',
  };
  return fault ? advice[fault] : '';
}

function acceptedPrints({ 'idp-cert': present, 'old-idp-cert': former }: SamlSettings): string {
  return [present, former].flatMap((pem) => describeCertificate(pem)?.fingerprint ?? []).join('\n');
}

function titleOf(name: keyof SamlSettings): string {
  const { title } = (samlSettings.schema.properties[name] ?? {}) as { title?: string };
  return title ?? labelOf(name);
}
