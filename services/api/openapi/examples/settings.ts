import type { Example } from '../example.ts';

/** Changes and actions of site administration. */
export const settingsExamples: Example[] = [
  {
    of: 'PATCH /api/v2/admin/general-settings',
    name: 'Longer plans',
    body: { data: { attributes: { 'plan-timeout': '4h' } } },
    status: 200,
    answer: {
      data: {
        id: 'general',
        type: 'general-settings',
        attributes: {
          'limit-user-organization-creation': true,
          'api-rate-limiting-enabled': false,
          'api-rate-limit': 30,
          'send-passing-statuses-for-untriggered-speculative-plans': false,
          'allow-speculative-plans-on-pull-requests-from-forks': false,
          'default-remote-state-access': true,
          'plan-timeout': '4h',
          'apply-timeout': '24h',
          'infra-build-worker-plan-timeout': '4h',
          'infra-build-worker-apply-timeout': '24h',
          'require-two-factor-for-admins': false,
          'fair-run-queuing-enabled': false,
          'limit-organizations-per-user': false,
          'default-organizations-per-user-ceiling': null,
          'limit-workspaces-per-organization': false,
          'default-workspaces-per-organization-ceiling': null,
        },
      },
    },
  },
  {
    of: 'PATCH /api/v2/admin/cost-estimation-settings',
    name: 'Credentials of a cloud',
    body: {
      data: { attributes: { 'aws-access-key-id': 'EXAMPLEKEYID', 'aws-secret-key': 'example-value' } },
    },
    status: 200,
    answer: {
      data: {
        id: 'cost-estimation',
        type: 'cost-estimation-settings',
        attributes: {
          enabled: false,
          'aws-access-key-id': 'EXAMPLEKEYID',
          'aws-secret-key': '*****',
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
      },
    },
  },
  {
    of: 'PATCH /api/v2/admin/saml-settings',
    name: 'The administrators’ group',
    body: { data: { attributes: { 'site-admin-role': 'operators' } } },
    status: 200,
    answer: {
      data: {
        id: 'saml',
        type: 'saml-settings',
        attributes: {
          enabled: false,
          debug: false,
          'old-idp-cert': null,
          'idp-cert': null,
          'slo-endpoint-url': null,
          'sso-endpoint-url': null,
          'attr-username': 'Username',
          'attr-groups': 'MemberOf',
          'attr-site-admin': 'SiteAdmin',
          'site-admin-role': 'operators',
          'sso-api-token-session-timeout': 1209600,
          'team-management-enabled': false,
          'authn-requests-signed': false,
          'want-assertions-signed': false,
          certificate: null,
          'signature-signing-method': 'SHA256',
          'signature-digest-method': 'SHA256',
          'provider-type': 'unknown',
          'acs-consumer-url': 'https://sealift.example.com/users/saml/auth',
          'metadata-url': 'https://sealift.example.com/users/saml/metadata',
        },
      },
    },
  },
  {
    of: 'PATCH /api/v2/admin/smtp-settings',
    name: 'A mail server, not used yet',
    body: {
      data: {
        attributes: {
          host: 'mail.example.com',
          port: 587,
          sender: 'sealift@example.com',
          auth: 'plain',
          username: 'sealift',
          password: 'example-value',
        },
      },
    },
    status: 200,
    answer: {
      data: {
        id: 'smtp',
        type: 'smtp-settings',
        attributes: {
          enabled: false,
          host: 'mail.example.com',
          port: 587,
          sender: 'sealift@example.com',
          auth: 'plain',
          username: 'sealift',
        },
      },
    },
  },
  {
    of: 'PATCH /api/v2/admin/sms-settings',
    name: 'An account',
    body: {
      data: {
        attributes: {
          enabled: true,
          'account-sid': 'AC00000000000000000000000000000000',
          'auth-token': 'example-value',
          'from-number': '+15005550006',
        },
      },
    },
    status: 200,
    answer: {
      data: {
        id: 'sms',
        type: 'sms-settings',
        attributes: {
          enabled: true,
          'account-sid': 'AC00000000000000000000000000000000',
          'from-number': '+15005550006',
        },
      },
    },
  },
  {
    of: 'PATCH /api/v2/admin/customization-settings',
    name: 'An address for questions',
    body: { data: { attributes: { 'support-email-address': 'help@example.com' } } },
    status: 200,
    answer: {
      data: {
        id: 'customization',
        type: 'customization-settings',
        attributes: {
          'support-email-address': 'help@example.com',
          'login-help': '',
          footer: '',
          error: '',
          'new-user': '',
        },
      },
    },
  },
  {
    of: 'POST /api/v2/admin/sms-settings/verify',
    name: 'Send a test message',
    body: { data: { attributes: { 'test-number': '+15005550009' } } },
    status: 200,
  },
  {
    of: 'POST /api/v2/admin/saml-settings/actions/revoke-old-certificate',
    name: 'Nothing older is accepted',
    status: 200,
    answer: {
      data: {
        id: 'saml',
        type: 'saml-settings',
        attributes: {
          enabled: false,
          debug: false,
          'old-idp-cert': null,
          'idp-cert': null,
          'slo-endpoint-url': null,
          'sso-endpoint-url': null,
          'attr-username': 'Username',
          'attr-groups': 'MemberOf',
          'attr-site-admin': 'SiteAdmin',
          'site-admin-role': 'operators',
          'sso-api-token-session-timeout': 1209600,
          'team-management-enabled': false,
          'authn-requests-signed': false,
          'want-assertions-signed': false,
          certificate: null,
          'signature-signing-method': 'SHA256',
          'signature-digest-method': 'SHA256',
          'provider-type': 'unknown',
          'acs-consumer-url': 'https://sealift.example.com/users/saml/auth',
          'metadata-url': 'https://sealift.example.com/users/saml/metadata',
        },
      },
    },
  },
  {
    of: 'POST /api/v2/admin/data-retention-policy-settings',
    name: 'Keep a year',
    body: {
      data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 365 } },
    },
    status: 201,
    answer: {
      data: {
        id: 'drp-lTws60k5CtP1iA5s',
        type: 'data-retention-policy-delete-olders',
        attributes: { 'delete-older-than-n-days': 365 },
        relationships: { target: { data: null } },
      },
    },
  },
  {
    of: 'POST /api/v2/admin/data-retention-policy-settings',
    name: 'Keep two years',
    body: {
      data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 730 } },
    },
    status: 200,
    answer: {
      data: {
        id: 'drp-lTws60k5CtP1iA5s',
        type: 'data-retention-policy-delete-olders',
        attributes: { 'delete-older-than-n-days': 730 },
        relationships: { target: { data: null } },
      },
    },
  },
];
