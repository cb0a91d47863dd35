import { Type, type Static } from 'typebox';
import type { Problem } from '../errors/request-error.ts';
import { isHttpsUrl } from './addresses.ts';
import { choice, flag, optionalText, secret, text } from './attributes.ts';
import { isCertificate, isSameCertificate, normalisePrivateKey } from './certificates.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const FOURTEEN_DAYS = 1_209_600;
const TEN_YEARS = 315_360_000;
const BE_A_URL = 'must be an https URL without spaces and control characters';

const schema = Type.Object({
  enabled: flag(false),
  debug: flag(false),
  'old-idp-cert': optionalText({ readOnly: true }),
  'idp-cert': optionalText(),
  'slo-endpoint-url': optionalText(),
  'sso-endpoint-url': optionalText(),
  'attr-username': text('Username'),
  'attr-groups': text('MemberOf'),
  'attr-site-admin': text('SiteAdmin'),
  'site-admin-role': text('site-admins'),
  'sso-api-token-session-timeout': Type.Integer({ default: FOURTEEN_DAYS }),
  'team-management-enabled': flag(false),
  'authn-requests-signed': flag(false),
  'want-assertions-signed': flag(false),
  certificate: optionalText(),
  'private-key': secret(),
  'signature-signing-method': choice(['SHA1', 'SHA256'], 'SHA256'),
  'signature-digest-method': choice(['SHA1', 'SHA256'], 'SHA256'),
  'provider-type': choice(['okta', 'entra', 'saml', 'unknown'], 'unknown'),
});

export type SamlSettings = Static<typeof schema>;

/** Single sign-on for people; tokens that are created in other ways do not depend on it. */
export const samlSettings = defineSettings({
  kind: 'saml',
  type: 'saml-settings',
  schema,
  merge: rotateCertificate,
  findProblems: (document) => (document.enabled ? findProblems(document) : []),
});

// A different certificate moves the present one to the old slot and replaces any older one there: with an older one,
// logins would fail until the identity provider has switched. Removing the certificate also clears the old slot, so
// nothing is accepted.
function rotateCertificate(current: SamlSettings, patch: Partial<SamlSettings>): SamlSettings {
  const merged = { ...current, ...patch };
  const before = current['idp-cert'];
  const after = merged['idp-cert'];
  if (!after) return { ...merged, 'old-idp-cert': null };
  if (!before || isSameCertificate(before, after)) return merged;
  if (!isCertificate(after)) return { ...merged, 'old-idp-cert': before };
  // A disabled document may have held a text that is no certificate; logins were never signed with that, so it is
  // skipped.
  const earlier = [before, current['old-idp-cert']].find(
    (candidate) => isCertificate(candidate) && !isSameCertificate(candidate ?? '', after),
  );
  return { ...merged, 'old-idp-cert': earlier ?? null };
}

function findProblems(document: SamlSettings): Problem[] {
  const { certificate, 'private-key': privateKey } = document;
  const signs = document['authn-requests-signed'];
  const isKey = normalisePrivateKey(privateKey) !== undefined;
  const timeout = document['sso-api-token-session-timeout'];
  const checks: [keyof SamlSettings, boolean, string][] = [
    ['idp-cert', isCertificate(document['idp-cert']), 'must be an X.509 certificate in PEM'],
    ['slo-endpoint-url', isHttpsUrl(document['slo-endpoint-url'] ?? ''), BE_A_URL],
    ['sso-endpoint-url', isHttpsUrl(document['sso-endpoint-url'] ?? ''), BE_A_URL],
    ['attr-username', document['attr-username'].trim() !== '', 'must not be empty'],
    [
      'sso-api-token-session-timeout',
      timeout >= 1 && timeout <= TEN_YEARS,
      `must be from 1 to ${TEN_YEARS} seconds`,
    ],
    [
      'certificate',
      isCertificate(certificate) || (!certificate && !signs),
      'must be an X.509 certificate in PEM',
    ],
    [
      'private-key',
      isKey || (!privateKey && !signs),
      'must be an RSA private key in PEM without a passphrase',
    ],
  ];
  return checks.filter(([, fits]) => !fits).map(([name, , fault]) => attributeProblem(name, fault));
}
