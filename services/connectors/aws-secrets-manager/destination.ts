import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Destination } from '../../../libs/connector/contract.ts';
import { identitySettings } from '../../../libs/connector/identity/identity.ts';
import { OWNER_TAG } from '../../../libs/connector/owner.ts';
import { credential, KEY_OR_EMPTY, word } from '../../../libs/connector/settings.ts';
import { modes } from './sign-in/modes.ts';
import { failures } from './failures.ts';
import { arnIn } from './reference.ts';
import { roleSessionName } from './sign-in/role-session-name.ts';

const ROLE_ARN = /^arn:[a-z0-9-]+:iam::(\d{12}):role\/[\w+=,.@/-]+$/;

// Regions of other partitions than `aws`, by how they begin.
const PARTITIONS: Record<string, string> = { 'us-gov-': 'aws-us-gov', 'cn-': 'aws-cn' };

const settings = Type.Object({
  access_key_id: Type.Optional(
    credential(
      'Access key ID',
      'Default: identity tokens, if an audience is set, or else the worker’s own identity.',
      {
        maxLength: 128,
        isVisible: true,
      },
    ),
  ),
  secret_access_key: Type.Optional(
    credential('Secret access key', 'AWS shows it once, when the access key is created.', { maxLength: 256 }),
  ),
  region: Type.Optional(
    Type.String({
      // It becomes a part of the host name.
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      errorMessage: 'must be a region, such as eu-west-1',
      // New regions appear without us, but all that there are end so.
      doubt: {
        unless: '-(?:north|south|central)?(?:north|south|east|west|central)-\\d+$',
        text: 'does not look like an AWS region, such as eu-central-1',
      },
      maxLength: 63,
      title: 'Region',
      description: "For example `eu-west-1`. Default: the worker's own region.",
    }),
  ),
  role_arn: Type.Optional(
    Type.String({
      maxLength: 2048,
      rare: true,
      pattern: ROLE_ARN.source,
      errorMessage: 'must be the ARN of a role, such as arn:aws:iam::123456789012:role/sealift',
      title: 'Role',
      description:
        'ARN of a role that the destination assumes, with its access key, its identity tokens, or the worker’s own identity.',
    }),
  ),
  external_id: Type.Optional(
    Type.String({
      rare: true,
      pattern: '^[\\w+=,.@:/-]{2,1224}$',
      errorMessage: 'must have 2 to 1224 letters, digits and _ + = , . @ : / -, such as sealift-1',
      title: 'External ID',
      description:
        'The external ID that the trust policy of the role demands. Not used with identity tokens.',
    }),
  ),
  ...identitySettings,
  kms_key_id: Type.Optional({
    ...word(
      'KMS key',
      'Encrypts the secrets: key ID, ARN or alias. Default: `aws/secretsmanager`. A change applies to existing secrets.',
      'alias/sealift',
    ),
    rare: true,
  }),
  replica_regions: Type.Optional(
    Type.Record(Type.String(), KEY_OR_EMPTY, {
      maxProperties: 50,
      rare: true,
      title: 'Replica regions',
      description:
        'Regions that the secrets are replicated to, each with its KMS key; empty for `aws/secretsmanager`. A change applies to existing secrets.',
    }),
  ),
  recovery_window_in_days: Type.Optional(
    Type.Integer({
      rare: true,
      minimum: 7,
      maximum: 30,
      title: 'Recovery window (days)',
      description:
        'How long a deleted secret can be restored. Default: secrets are deleted immediately and permanently.',
    }),
  ),
});

export type Cloud1SmSettings = Static<typeof settings>;

function keyFaults({ access_key_id: id, secret_access_key: key }: Cloud1SmSettings): string[] {
  if ((id === undefined) === (key === undefined)) return [];
  return ['access_key_id and secret_access_key belong together: give both or neither'];
}

function roleFaults({ identity_token_audience: audience, role_arn: role }: Cloud1SmSettings): string[] {
  return audience === undefined || role !== undefined
    ? []
    : ['role_arn is required with identity_token_audience'];
}

function externalIdFaults({
  external_id: id,
  identity_token_audience: audience,
  role_arn: role,
}: Cloud1SmSettings): string[] {
  if (id === undefined) return [];
  if (audience !== undefined)
    return [
      'external_id and identity_token_audience exclude each other: AWS takes no external ID with an identity token, so empty one of them',
    ];
  return role === undefined ? ['external_id needs role_arn: it is sent only where a role is assumed'] : [];
}

// A role of one partition cannot be assumed in a region of another.
function partitionFaults({ region, role_arn: role }: Cloud1SmSettings): string[] {
  const given = role?.split(':')[1];
  if (region === undefined || given === undefined) return [];
  const needed = Object.entries(PARTITIONS).find(([begin]) => region.startsWith(begin))?.[1] ?? 'aws';
  const isKnown = given === 'aws' || Object.values(PARTITIONS).includes(given);
  if (given === needed || !isKnown) return [];
  return [`role_arn is of the partition ${given}, but the region ${region} belongs to ${needed}`];
}

function replicaFaults({ replica_regions: replicas = {} }: Cloud1SmSettings): string[] {
  return Object.keys(replicas)
    .filter((replica) => !/^([a-z]+-)+\d+$/.test(replica) || replica.length > 63)
    .map((replica) => `replica_regions: ${JSON.stringify(replica)} is not a region, such as eu-west-3`);
}

function sameRegionFaults({ region, replica_regions: replicas = {} }: Cloud1SmSettings): string[] {
  if (region === undefined || !Object.hasOwn(replicas, region)) return [];
  return [`replica_regions: ${region} is the region of the secrets themselves: remove it`];
}

// Keys do not reveal their account without a call, but a role does. The key id is masked wherever it is shown, so only a
// hash of it goes into the name.
function container({ region, access_key_id: keyId, role_arn: role }: Cloud1SmSettings): string {
  const account =
    accountOf(role) ??
    (keyId === undefined ? 'default' : createHash('sha256').update(keyId).digest('hex').slice(0, 16));
  return `cloud1-sm:${region ?? 'default'}:${account}`;
}

function accountOf(role: string | undefined): string | undefined {
  return ROLE_ARN.exec(role ?? '')?.[1];
}

/** AWS Secrets Manager as data; the figures are the vendor's documented quotas. */
export const destination: Destination<typeof settings> = {
  type: 'cloud1-sm',
  aliases: ['aws-sm'],
  title: 'AWS Secrets Manager',
  settings,
  modes,
  settingRules: [keyFaults, roleFaults, externalIdFaults, partitionFaults, replicaFaults, sameRegionFaults],
  container,
  credentialIds: ({ access_key_id: id }) => (id === undefined ? {} : { access_key_id: id }),
  fixedSettings: ['region'],
  fixedParts: ({ role_arn: role }) => ({ 'the account of role_arn': accountOf(role) }),
  identity: {
    credential: 'access_key_id',
    takesOn: 'role_arn',
    subjectType: 'aws-sm',
    sessionName: roleSessionName,
  },
  defaultGranularity: 'secret-path',
  names: { allowed: /[A-Za-z0-9/_+=.@-]/, replacement: '_', maxLength: 512 },
  limits: { valueBytes: 65_536, entries: 500_000 },
  tags: {
    max: 49,
    key: {
      expression: new RegExp(`^(?!aws:)(?!${OWNER_TAG}$)[\\p{L}\\p{Z}\\p{N}_.:/=+@-]{1,128}$`, 'iu'),
      message: `a tag key has 1 to 128 letters, digits, spaces or any of _.:/=+-@, does not start with aws: and is not ${OWNER_TAG}`,
    },
    value: {
      expression: /^[\p{L}\p{Z}\p{N}_.:/=+@-]{0,256}$/u,
      message: 'a tag value has at most 256 letters, digits, spaces or any of _.:/=+-@',
    },
  },
  identityOf: arnIn,
  createIsExclusive: true,
  readable: true,
  rate: { writes: 50, perMs: 1000 },
  address: {
    variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
    usual: 'https://secretsmanager.us-east-1.amazonaws.com',
  },
  causes: failures.causes,
};
