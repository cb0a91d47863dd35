import type { Example } from '../example.ts';
import { answers, documentOf, ends, META } from './build.ts';

type Attributes = Record<string, unknown>;
type Settings = {
  id: string;
  initial: Attributes;
  /** The PATCH of the example, and what follows from it beside the attributes that are sent. */
  change: { name: string; sent: Attributes; follows?: Attributes; hidden?: string[] };
};

const saml: Attributes = {
  enabled: false,
  debug: false,
  'old-idp-cert': null,
  'idp-cert': null,
  'slo-endpoint-url': null,
  'sso-endpoint-url': null,
  'attr-username': 'Username',
  'attr-groups': 'MemberOf',
  'attr-site-admin': 'SiteAdmin',
  'site-admin-role': 'site-admins',
  'sso-api-token-session-timeout': 1209600,
  'team-management-enabled': false,
  'authn-requests-signed': false,
  'want-assertions-signed': false,
  certificate: null,
  'signature-signing-method': 'SHA256',
  'signature-digest-method': 'SHA256',
  'provider-type': 'unknown',
  'split-group-values': false,
  'accept-sha1-signatures': false,
  'acs-consumer-url': 'https://sealift.example.com/users/saml/auth',
  'metadata-url': 'https://sealift.example.com/users/saml/metadata',
};

const account = {
  enabled: true,
  'account-sid': 'AC00000000000000000000000000000000',
  'from-number': '+15005550006',
};
const setAccount: Settings['change'] = {
  name: 'An account',
  sent: { ...account, 'auth-token': 'example-value' },
  hidden: ['auth-token'],
};

const documents: Settings[] = [
  {
    id: 'general',
    initial: {
      'limit-user-organization-creation': true,
      'api-rate-limiting-enabled': false,
      'api-rate-limit': 30,
      'send-passing-statuses-for-untriggered-speculative-plans': false,
      'allow-speculative-plans-on-pull-requests-from-forks': false,
      'default-remote-state-access': true,
      'plan-timeout': '2h',
      'apply-timeout': '24h',
      'infra-build-worker-plan-timeout': '2h',
      'infra-build-worker-apply-timeout': '24h',
      'require-two-factor-for-admins': false,
      'fair-run-queuing-enabled': false,
      'limit-organizations-per-user': false,
      'default-organizations-per-user-ceiling': null,
      'limit-workspaces-per-organization': false,
      'default-workspaces-per-organization-ceiling': null,
    },
    change: {
      name: 'Longer plans',
      sent: { 'plan-timeout': '4h' },
      follows: { 'infra-build-worker-plan-timeout': '4h' },
    },
  },
  {
    id: 'cost-estimation',
    initial: {
      enabled: false,
      'aws-access-key-id': null,
      'aws-secret-key': null,
      'aws-enabled': false,
      'aws-instance-profile-enabled': false,
      'gcp-credentials': null,
      'gcp-enabled': false,
      'azure-enabled': false,
      'azure-client-id': null,
      'azure-client-secret': null,
      'azure-subscription-id': null,
      'azure-tenant-id': null,
    },
    change: {
      name: 'Credentials of a cloud',
      sent: { 'aws-access-key-id': 'EXAMPLEKEYID', 'aws-secret-key': 'example-value' },
      follows: { 'aws-secret-key': '*****' },
    },
  },
  {
    id: 'saml',
    initial: saml,
    change: { name: 'The administrators’ team', sent: { 'site-admin-role': 'operators' } },
  },
  {
    id: 'smtp',
    initial: {
      enabled: false,
      host: null,
      port: null,
      sender: null,
      auth: 'none',
      starttls: 'auto',
      username: null,
    },
    change: {
      name: 'A mail server, not used yet',
      sent: {
        host: 'mail.example.com',
        port: 587,
        sender: 'sealift@example.com',
        auth: 'plain',
        username: 'sealift',
        password: 'example-value',
      },
      hidden: ['password'],
    },
  },
  {
    id: 'sms',
    initial: { enabled: false, 'account-sid': null, 'from-number': null },
    change: setAccount,
  },
  // The same document under another name.
  { id: 'twilio', initial: account, change: setAccount },
  {
    id: 'customization',
    initial: {
      'support-email-address': 'support@sealift.example',
      'login-help': '',
      footer: '',
      error: '',
      'new-user': '',
    },
    change: { name: 'An address for questions', sent: { 'support-email-address': 'help@example.com' } },
  },
];

function readAndChange({ id, initial, change }: Settings): Example[] {
  const [type, path] = [`${id}-settings`, `/api/v2/admin/${id}-settings`];
  const shown = Object.entries({ ...change.sent, ...change.follows }).filter(
    ([name]) => !change.hidden?.includes(name),
  );
  const meta = { ...META, set: change.hidden ?? [] };
  const changed = { ...initial, ...Object.fromEntries(shown) };
  return [
    answers(`GET ${path}`, 'Read them', documentOf(id, type, initial, { meta })),
    answers(`PATCH ${path}`, change.name, documentOf(id, type, changed, { meta }), {
      body: { data: { attributes: change.sent } },
    }),
  ];
}

/** The documents of site administration in their first state, changes of them, and actions. */
export const settingsExamples: Example[] = [
  ends('GET /api/v2/ping', 'Which API this is', { token: null }),
  ...documents.flatMap(readAndChange),
  ...['sms', 'twilio'].map((name) =>
    ends(`POST /api/v2/admin/${name}-settings/verify`, 'Send a test message', {
      body: { data: { attributes: { 'test-number': '+15005550009' } } },
      status: 200,
    }),
  ),
  answers(
    'POST /api/v2/admin/saml-settings/actions/check',
    'Nothing is in the way',
    { data: { type: 'saml-settings-checks', attributes: { certificates: {}, 'no-longer-accepted': [] } } },
    { body: { data: { attributes: { 'site-admin-role': 'operators' } } } },
  ),
  answers(
    'POST /api/v2/admin/saml-settings/actions/revoke-old-certificate',
    'Nothing older is accepted',
    documentOf(
      'saml',
      'saml-settings',
      { ...saml, 'site-admin-role': 'operators' },
      { meta: { ...META, set: [] } },
    ),
  ),
];

const TYPE = 'data-retention-policy-delete-olders';
const RETENTION = '/api/v2/admin/data-retention-policy-settings';
const OIDC = '/api/v2/admin/oidc-settings/actions';

const kept = (days: number): { 'delete-older-than-n-days': number } => ({ 'delete-older-than-n-days': days });
const policy = (days: number): object =>
  documentOf('drp-lTws60k5CtP1iA5s', TYPE, kept(days), { relationships: { target: { data: null } } });
const retentionBody = (days: number): object => ({ data: { type: TYPE, attributes: kept(days) } });

const signingKey = (id: string, made: string, replaced: string | null): object => ({
  id,
  type: 'signing-keys',
  attributes: {
    'created-at': made,
    'replaced-at': replaced,
    'last-token-ends-at': replaced && new Date(Date.parse(replaced) + 86_400_000).toISOString(),
  },
});

/** Retention, and the signing keys. */
export const maintenanceExamples: Example[] = [
  answers(`POST ${RETENTION}`, 'Keep a year', policy(365), { body: retentionBody(365), status: 201 }),
  answers(`POST ${RETENTION}`, 'Keep two years', policy(730), { body: retentionBody(730) }),
  answers(`GET ${RETENTION}`, 'Read it', policy(730)),
  answers(
    `GET ${RETENTION}/preview`,
    'What a policy would delete',
    {
      data: {
        type: 'data-retention-previews',
        attributes: {
          'audit-days': 30,
          'audit-entries': 812,
          'history-entries': 240,
          'deleted-versions': 3,
        },
      },
    },
    { query: { days: '30' } },
  ),
  ends(`DELETE ${RETENTION}`, 'Keep everything'),
  answers('GET /api/v2/admin/oidc-settings/signing-keys', 'One signs, and one only verifies', {
    data: [
      signingKey('dM2tBPYrbnyDDxEKEVWcvZHSLaN0YAqKdZ0vFZkTBrA', '2026-11-27T10:00:00.000Z', null),
      signingKey(
        'Zk9mJXUdFXXOS9dBkkCUvKbLg3LPGsQ4sMjmF5D6ynI',
        '2026-08-29T10:00:00.000Z',
        '2026-11-27T10:00:00.000Z',
      ),
    ],
    meta: { 'rotates-at': '2027-02-25T10:00:00.000Z', 'trims-at': '2026-12-27T10:00:00.000Z' },
  }),
  ends(`POST ${OIDC}/rotate-key`, 'A new key'),
  ends(`POST ${OIDC}/trim-key`, 'Only the new key'),
];
