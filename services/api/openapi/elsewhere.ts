import { answers, ends, gives, grants } from './examples/build.ts';
import { session } from './examples/tokens.ts';
import type { Example } from './example.ts';

const identity = { username: 'ana', groups: ['site-admins'], site_admin: true };

/** Answers that the document describes and no example can bring about, because they need an identity provider. */
export const answersElsewhere: Example[] = [
  ends('GET /users/saml/login', 'On to the identity provider', { status: 302 }),
  {
    ...grants('POST /users/saml/auth', 'A token', {
      client_token: '<token>',
      accessor: '<accessor>',
      policies: ['default', 'site-admin'],
      token_policies: ['default', 'site-admin'],
      metadata: { username: 'ana' },
      lease_duration: 1_209_600,
      renewable: false,
      entity_id: '',
      token_type: 'service',
      orphan: true,
    }),
    data: identity,
  },
  ends('POST /users/saml/auth', 'Back to the console', { status: 303 }),
  answers('POST /api/v2/admin/saml-settings/actions/test-sign-in', 'Where the test goes on', {
    data: {
      type: 'saml-sign-in-tests',
      attributes: { 'sign-in-url': 'https://idp.example.com/sso?SAMLRequest=fZFPS8N' },
    },
  }),
  gives('GET /auth/session/saml', 'Two namespaces', { namespaces: ['', 'team-a/'] }),
  gives('POST /auth/session/saml', 'The session of this browser', session),
];
