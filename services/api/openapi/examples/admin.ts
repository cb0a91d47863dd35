import type { Example } from '../example.ts';

/** The documents of site administration as they are at first. */
export const adminExamples: Example[] = [
  { of: 'GET /api/v2/ping', name: 'Which API this is', token: null, status: 204 },
  {
    of: 'GET /api/v2/admin/general-settings',
    name: 'Read them',
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
      },
    },
  },
  {
    of: 'GET /api/v2/admin/cost-estimation-settings',
    name: 'Read them',
    status: 200,
    answer: {
      data: {
        id: 'cost-estimation',
        type: 'cost-estimation-settings',
        attributes: {
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
      },
    },
  },
  {
    of: 'GET /api/v2/admin/saml-settings',
    name: 'Read them',
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
          'site-admin-role': 'site-admins',
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
    of: 'GET /api/v2/admin/smtp-settings',
    name: 'Read them',
    status: 200,
    answer: {
      data: {
        id: 'smtp',
        type: 'smtp-settings',
        attributes: { enabled: false, host: null, port: null, sender: null, auth: 'none', username: null },
      },
    },
  },
  {
    of: 'GET /api/v2/admin/sms-settings',
    name: 'Read them',
    status: 200,
    answer: {
      data: {
        id: 'sms',
        type: 'sms-settings',
        attributes: { enabled: false, 'account-sid': null, 'from-number': null },
      },
    },
  },
  {
    of: 'GET /api/v2/admin/customization-settings',
    name: 'Read them',
    status: 200,
    answer: {
      data: {
        id: 'customization',
        type: 'customization-settings',
        attributes: {
          'support-email-address': 'support@sealift.example',
          'login-help': '',
          footer: '',
          error: '',
          'new-user': '',
        },
      },
    },
  },
];
