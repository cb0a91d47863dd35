import { Type, type Static } from 'typebox';
import type { Problem } from '../errors/request-error.ts';
import { isHttpsUrl } from './addresses.ts';
import { choice, flag, optionalText, secret, stored, text, titled } from './attributes.ts';
import { isCertificate, isPair, isSameCertificate } from './certificates.ts';
import { attributeProblem, defineSettings } from './definition.ts';
import { findCertificateFault, findPrivateKeyFault } from '../validation/pem-faults.ts';

const FOURTEEN_DAYS = 1_209_600;
const TEN_YEARS = 315_360_000;
const PAIR = ['certificate', 'private-key'];
const BE_A_URL = 'must be an https URL without spaces or control characters';

const schema = Type.Object({
  enabled: flag(
    'Let people sign in at the identity provider. Requires `idp-cert`, `slo-endpoint-url` and `sso-endpoint-url`.',
    false,
  ),
  debug: flag(
    'After a site administrator signs in, also show the XML of the answer and its attributes.',
    false,
  ),
  'old-idp-cert': titled(
    'Former IdP certificate',
    optionalText('Previous certificate of the identity provider. Sealift accepts it until you revoke it.', {
      readOnly: true,
    }),
  ),
  'idp-cert': titled(
    'IdP certificate',
    optionalText(
      'Certificate with which the identity provider signs: X.509 in PEM. If you replace it, Sealift keeps accepting the former one until you revoke it.',
    ),
  ),
  'slo-endpoint-url': stored(
    optionalText(
      'Single logout URL of the identity provider, with https. Sealift never opens it: signing out ends only the Sealift session. It is required while SAML is enabled because other programs read it. If the identity provider has none, enter its sign-in URL again.',
    ),
  ),
  'sso-endpoint-url': optionalText('Sign-in URL of the identity provider, with https.'),
  'attr-username': titled(
    'Username attribute',
    text('Name of the SAML attribute that contains the user name.', 'Username'),
  ),
  'attr-groups': titled(
    'Teams attribute',
    text(
      "Name of the SAML attribute that lists the user's teams. Many identity providers call them groups.",
      'MemberOf',
    ),
  ),
  'split-group-values': titled(
    'Split team values',
    flag(
      'Turn this on if the identity provider sends all teams in one value, separated by commas. No team may have a comma in its name then: a member of a team named `x,site-admins` would also count as a member of `site-admins`.',
      false,
    ),
  ),
  'attr-site-admin': titled(
    'Site admin attribute',
    text(
      'Name of the SAML attribute that decides whether the user is a site administrator. If an answer contains it, `site-admin-role` is ignored. If you leave it empty, only that team decides.',
      'SiteAdmin',
    ),
  ),
  'site-admin-role': titled(
    'Site admin team',
    text(
      'Team whose members are site administrators. If you leave it empty, no team makes anyone a site administrator.',
      'site-admins',
    ),
  ),
  'sso-api-token-session-timeout': titled(
    'Token lifetime (seconds)',
    Type.Integer({
      description:
        'How long a token from a sign-in is valid. A console session ends with its token, and after 12 hours at the latest.',
      default: FOURTEEN_DAYS,
    }),
  ),
  'team-management-enabled': stored(
    flag('Manage the members of teams by what the identity provider sends.', false),
  ),
  'authn-requests-signed': titled(
    'Sign authentication requests',
    flag('Sign sign-in requests. This requires `certificate` and `private-key`.', false),
  ),
  'want-assertions-signed': titled(
    'Require signed assertions',
    flag(
      'Require the assertion itself to be signed. Otherwise, a signature on the whole answer is enough.',
      false,
    ),
  ),
  'accept-sha1-signatures': titled(
    'Accept SHA-1 signatures',
    flag(
      'Also accept answers whose signature or digest uses SHA-1. SHA-1 is broken, so such an answer could be forged.',
      false,
    ),
  ),
  certificate: optionalText(
    'Certificate of Sealift: X.509 in PEM. The identity provider uses it to verify sign-in requests and to encrypt assertions.',
  ),
  'private-key': secret('Private key of that certificate: RSA in PEM, without a passphrase.'),
  'signature-signing-method': choice(
    'Hash algorithm for signing sign-in requests.',
    ['SHA1', 'SHA256'],
    'SHA256',
  ),
  'signature-digest-method': choice(
    'Hash algorithm for the digest in that signature.',
    ['SHA1', 'SHA256'],
    'SHA256',
  ),
  'provider-type': stored(
    choice('Product of the identity provider.', ['okta', 'entra', 'saml', 'unknown'], 'unknown'),
  ),
});

/** The attributes that hold a certificate. */
export const SAML_CERTIFICATES = ['idp-cert', 'old-idp-cert', 'certificate'] as const;

export type SamlSettings = Static<typeof schema>;

/** Single sign-on for people; tokens that are created in other ways do not depend on it. */
export const samlSettings = defineSettings({
  kind: 'saml',
  type: 'saml-settings',
  schema,
  merge: rotateCertificate,
  // Providers that sign with SHA-1 go on working where they worked before.
  formerly: { 'accept-sha1-signatures': true },
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
  const timeout = document['sso-api-token-session-timeout'];
  const unless = (fits: boolean, fault: string): string | undefined => (fits ? undefined : fault);
  const faults: [keyof SamlSettings, string | undefined][] = [
    ['idp-cert', findCertificateFault(document['idp-cert'])],
    ['slo-endpoint-url', unless(isHttpsUrl(document['slo-endpoint-url'] ?? ''), BE_A_URL)],
    ['sso-endpoint-url', unless(isHttpsUrl(document['sso-endpoint-url'] ?? ''), BE_A_URL)],
    ['attr-username', unless(document['attr-username'].trim() !== '', 'must not be empty')],
    [
      'sso-api-token-session-timeout',
      unless(timeout >= 1 && timeout <= TEN_YEARS, `must be from 1 to ${TEN_YEARS} seconds`),
    ],
    ['certificate', certificate || signs ? findCertificateFault(certificate) : undefined],
    ['private-key', privateKey || signs ? findPrivateKeyFault(privateKey) : undefined],
  ];
  const found = faults.flatMap(([name, fault]) =>
    fault === undefined ? [] : [attributeProblem(name, fault)],
  );
  const isReadable = faults.every(([name, fault]) => fault === undefined || !PAIR.includes(name));
  if (!isReadable || !certificate || !privateKey || isPair(certificate, privateKey)) return found;
  return [...found, attributeProblem('private-key', 'does not belong to the certificate in `certificate`')];
}
