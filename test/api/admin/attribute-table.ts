import { createCertificate } from '../../settings/support/certificates.ts';

import { ceiling, flag, optionalText, text, timeout, type DocumentTable } from './attribute-rows.ts';

const certificate = await createCertificate('idp');
const own = await createCertificate('sealift');

const saml = {
  enabled: true,
  'idp-cert': certificate.cert,
  'slo-endpoint-url': 'https://idp.example/slo',
  'sso-endpoint-url': 'https://idp.example/sso',
};

const smtp = { enabled: true, host: 'mail.example', port: 25, sender: 'sealift@example.com' };
const login = { ...smtp, auth: 'plain', username: 'u', password: 'p' };
const sms = { enabled: true, 'account-sid': 'AC01', 'auth-token': 't', 'from-number': '+15005550006' };
const gcp = { enabled: true, 'gcp-credentials': '{"type":"service_account"}' };

/** All attributes of all settings documents. */
export const documentTables: DocumentTable[] = [
  {
    kind: 'general',
    complete: {},
    rows: [
      flag('limit-user-organization-creation', true),
      {
        ...flag('api-rate-limiting-enabled', true),
        initial: undefined,
        // These tests send more requests than the rate limit allows to any client.
        given: { 'api-rate-limit': 1_000_000 },
      },
      {
        name: 'api-rate-limit',
        initial: 30,
        valid: [30, 1_000_000],
        invalid: [29, 0, -1, 1_000_001],
        onNull: 'is refused',
        wrongType: 30.5,
      },
      flag('send-passing-statuses-for-untriggered-speculative-plans', false),
      flag('allow-speculative-plans-on-pull-requests-from-forks', false),
      flag('default-remote-state-access', true),
      timeout('plan-timeout', '2h'),
      timeout('apply-timeout', '24h'),
      timeout('infra-build-worker-plan-timeout', '2h'),
      timeout('infra-build-worker-apply-timeout', '24h'),
      flag('require-two-factor-for-admins', false),
      flag('fair-run-queuing-enabled', false),
      flag('limit-organizations-per-user', false),
      ceiling('default-organizations-per-user-ceiling'),
      flag('limit-workspaces-per-organization', false),
      ceiling('default-workspaces-per-organization-ceiling'),
    ],
  },
  {
    kind: 'cost-estimation',
    complete: gcp,
    rows: [
      flag('enabled', false),
      optionalText('aws-access-key-id'),
      optionalText('aws-secret-key', { reads: 'masked' }),
      flag('aws-enabled', false),
      flag('aws-instance-profile-enabled', false),
      optionalText('gcp-credentials', {
        reads: 'masked',
        valid: ['{"type":"service_account"}'],
        invalid: ['{', '[]', '"text"', 'null'],
        given: { enabled: true, 'aws-access-key-id': 'a', 'aws-secret-key': 's' },
      }),
      flag('gcp-enabled', false),
      flag('azure-enabled', false),
      optionalText('azure-client-id'),
      optionalText('azure-client-secret', { reads: 'masked' }),
      optionalText('azure-subscription-id'),
      optionalText('azure-tenant-id'),
    ],
  },
  {
    kind: 'saml',
    complete: saml,
    rows: [
      flag('enabled', false),
      flag('debug', false),
      optionalText('idp-cert', { given: saml, valid: [certificate.cert], invalid: ['testCert', '', null] }),
      optionalText('slo-endpoint-url', {
        given: saml,
        valid: ['https://idp.example/slo?x=1'],
        invalid: ['http://idp.example/', 'idp.example', 'javascript:alert(1)', '', null],
      }),
      optionalText('sso-endpoint-url', {
        given: saml,
        valid: ['https://idp.example:8443/sso'],
        invalid: ['ftp://idp.example', 'https://user:secret@idp.example/', ''],
      }),
      text('attr-username', 'Username', { given: saml, valid: ['urn:user'], invalid: ['', ' '] }),
      text('attr-groups', 'MemberOf'),
      flag('split-group-values', false),
      text('attr-site-admin', 'SiteAdmin'),
      text('site-admin-role', 'site-admins'),
      {
        name: 'sso-api-token-session-timeout',
        initial: 1_209_600,
        valid: [1, 315_360_000],
        invalid: [0, -1, 315_360_001],
        given: saml,
        onNull: 'is refused',
        wrongType: '60',
      },
      flag('team-management-enabled', false),
      flag('authn-requests-signed', false),
      flag('want-assertions-signed', false),
      flag('accept-sha1-signatures', false),
      optionalText('certificate', {
        given: { ...saml, 'authn-requests-signed': true, 'private-key': own.key },
        valid: [own.cert],
        invalid: ['testCert', ''],
      }),
      optionalText('private-key', {
        given: { ...saml, 'authn-requests-signed': true, certificate: own.cert },
        reads: 'never',
        valid: [own.key],
        invalid: ['a key', ''],
      }),
      text('signature-signing-method', 'SHA256', { valid: ['SHA1', 'SHA256'], invalid: ['SHA1234'] }),
      text('signature-digest-method', 'SHA256', { valid: ['SHA1', 'SHA256'], invalid: ['md5'] }),
      text('provider-type', 'unknown', { valid: ['okta', 'entra', 'saml', 'unknown'], invalid: ['ldap'] }),
    ],
  },
  {
    kind: 'smtp',
    complete: smtp,
    rows: [
      flag('enabled', false),
      optionalText('host', {
        given: smtp,
        valid: ['mail.example', '127.0.0.1', '::1'],
        invalid: ['', 'a b', 'http://mail.example', null],
      }),
      {
        name: 'port',
        initial: null,
        valid: [1, 65_535],
        invalid: [0, 65_536, -1, null],
        given: smtp,
        onNull: 'clears',
        wrongType: '25',
      },
      optionalText('sender', {
        given: smtp,
        valid: ['a@b.example'],
        invalid: ['Sealift <a@b.example>', 'nobody', 'a@b\r\nBcc: c@d', '', null],
      }),
      text('auth', 'none', {
        given: login,
        valid: ['plain', 'login', 'none'],
        invalid: ['xoauth2', 'PLAIN'],
      }),
      text('starttls', 'auto', {
        given: smtp,
        valid: ['auto', 'required', 'optional'],
        invalid: ['never', 'REQUIRED'],
      }),
      optionalText('username', { given: login, valid: ['user@example.com'], invalid: ['', null] }),
      optionalText('password', { given: login, reads: 'never', valid: ['*****'], invalid: ['', null] }),
      optionalText('test-email-address', {
        given: smtp,
        reads: 'never',
        valid: [],
        invalid: ['nobody', 'a@b, c@d'],
      }),
    ],
  },
  {
    kind: 'sms',
    complete: sms,
    rows: [
      flag('enabled', false),
      optionalText('account-sid', { given: sms, valid: ['AC0123'], invalid: ['', '../x', null] }),
      optionalText('auth-token', { given: sms, reads: 'never', valid: ['secret'], invalid: ['', null] }),
      optionalText('from-number', {
        given: sms,
        valid: ['555-555-5555', 'Sealift'],
        invalid: ['', ' ', null],
      }),
    ],
  },
  {
    kind: 'customization',
    complete: {},
    rows: [
      text('support-email-address', 'support@sealift.example', {
        valid: ['help@example.com', ''],
        invalid: ['nobody', 'a b@c.d'],
      }),
      text('login-help', ''),
      text('footer', ''),
      text('error', ''),
      text('new-user', ''),
    ],
  },
];
