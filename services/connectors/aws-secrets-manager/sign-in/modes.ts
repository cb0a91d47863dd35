import type { SetUpStep, SignInMode } from '../../../../libs/connector/identity/destination-identity.ts';

const TRUST = `{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Principal": { "Federated": "arn:aws:iam::ACCOUNT_ID:oidc-provider/{issuer}" },
      "Action": "sts:AssumeRoleWithWebIdentity",
      "Condition": {
        "StringEquals": {
          "{issuer}:aud": "{aud}",
          "{issuer}:sub": "{sub}"
        }
      }
    }
  ]
}`;

const RIGHTS = `{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": [
        "secretsmanager:CreateSecret",
        "secretsmanager:DescribeSecret",
        "secretsmanager:GetSecretValue",
        "secretsmanager:PutSecretValue",
        "secretsmanager:TagResource",
        "secretsmanager:UntagResource",
        "secretsmanager:DeleteSecret",
        "secretsmanager:RestoreSecret"
      ],
      "Resource": "arn:aws:secretsmanager:{region}:ACCOUNT_ID:secret:*"
    }
  ]
}`;

const rightsOf = (role: string): SetUpStep => ({
  text: `Give ${role} this permissions policy. ACCOUNT_ID is the number of the account. To limit it to some secrets, put the beginning of their names before the last *.`,
  code: RIGHTS,
});

/** How a destination of AWS signs in. */
export const modes: SignInMode[] = [
  {
    mode: 'static',
    title: 'Access key',
    fields: ['access_key_id', 'secret_access_key', 'role_arn', 'external_id'],
    required: ['access_key_id', 'secret_access_key'],
    steps: [],
  },
  {
    mode: 'federated',
    title: 'Identity tokens and a role (nothing is stored)',
    fields: ['role_arn', 'identity_token_audience', 'identity_token_ttl', 'identity_token_key'],
    required: ['identity_token_audience', 'role_arn'],
    usual: { identity_token_audience: 'sts.amazonaws.com' },
    steps: [
      {
        text: 'In the account of the role, add the issuer as an identity provider, with the audience as client ID.',
        code: 'aws iam create-open-id-connect-provider --url {iss} --client-id-list {aud}',
      },
      {
        text: 'Create a role with this trust policy. ACCOUNT_ID is the number of the account.',
        code: TRUST,
      },
      rightsOf('the role'),
    ],
  },
  {
    mode: 'ambient',
    title: 'The worker’s own identity',
    fields: ['role_arn', 'external_id'],
    required: [],
    steps: [
      {
        text: 'Give the machine of the worker a role that writes the secrets itself, or that may assume the role named here. The trust policy of that role must demand the session name of this destination: anybody who may write destinations can name the role.',
        code: '"StringEquals": { "sts:RoleSessionName": "{session}" }',
      },
      rightsOf('the role that writes the secrets'),
    ],
  },
];
