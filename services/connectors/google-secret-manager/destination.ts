import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type Static, Type } from 'typebox';
import type { Destination, OperatorSettings } from '../../../libs/connector/contract.ts';
import { checkCredentialsPath, credentialsPath, MOST_CREDENTIALS_BYTES } from './credentials-file.ts';
import { KEY_OR_EMPTY } from '../../../libs/connector/settings.ts';
import { parseObject } from '../../../libs/connector/http/json.ts';
import { OWNER_TAG } from '../../../libs/connector/owner.ts';
import { projectOf } from './reference.ts';
import { checkPlacement, placementOf } from './replication.ts';
import { federationFaults, federationSettings, projectOfAccount } from './sign-in/federation.ts';
import { modes } from './sign-in/modes.ts';
import { parseServiceAccount, PROJECT_ID, projectIn } from './service-account.ts';

const settings = Type.Object({
  credentials: Type.Optional(
    Type.String({
      sensitive: true,
      minLength: 1,
      maxLength: MOST_CREDENTIALS_BYTES,
      title: 'Service account key',
      description:
        'JSON of a service account key, or `@` and the path of such a file below CREDENTIALS_DIR of the server. Default: identity tokens, if an audience is set, or else the worker’s own identity.',
    }),
  ),
  project_id: Type.Optional(
    Type.String({
      pattern: PROJECT_ID,
      errorMessage: 'must be the id of a project, not its name or number, such as my-project-123',
      title: 'Project ID',
      description: 'Project that holds the secrets. Default: the project of the service account.',
    }),
  ),
  ...federationSettings,
  kms_key_id: Type.Optional(
    Type.String({
      maxLength: 2048,
      rare: true,
      title: 'KMS key',
      description:
        'Customer-managed key in the location `global`. It encrypts secrets whose locations Google chooses. It can’t be changed once secrets are synced.',
    }),
  ),
  replica_regions: Type.Optional(
    Type.Record(Type.String(), KEY_OR_EMPTY, {
      maxProperties: 50,
      rare: true,
      title: 'Locations',
      description:
        'Locations of the secrets, each with its customer-managed key: give a key for all of them or for none. Default: Google chooses. They can’t be changed once secrets are synced.',
    }),
  ),
  replication_locations: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^[a-z]+(-[a-z0-9]+)+$',
        maxLength: 63,
        errorMessage: 'must be a location, such as europe-west1',
      }),
      {
        maxItems: 50,
        uniqueItems: true,
        older: true,
        title: 'Replication locations (older form)',
        description: 'Use Locations (`replica_regions`) instead. The locations, for example `europe-west1`.',
      },
    ),
  ),
  locational_kms_keys: Type.Optional(
    Type.Record(Type.String(), KEY_OR_EMPTY, {
      maxProperties: 50,
      older: true,
      title: 'Keys of the locations (older form)',
      description: 'Use Locations (`replica_regions`) instead. The key of each of `replication_locations`.',
    }),
  ),
  global_kms_key: Type.Optional(
    Type.String({
      maxLength: 2048,
      older: true,
      title: 'Global KMS key (older name)',
      description: 'Use KMS key (`kms_key_id`) instead.',
    }),
  ),
  destroy_old_versions: Type.Optional(
    Type.Boolean({
      rare: true,
      title: 'Destroy old versions',
      description:
        'After writing a new version, permanently destroys all older ones. Off by default: they are kept.',
    }),
  ),
});

export type Cloud3SmSettings = Static<typeof settings>;

function checkCredentials({ credentials }: Cloud3SmSettings, operator: OperatorSettings): string[] {
  if (credentials === undefined) return [];
  const path = credentialsPath(credentials);
  if (path !== undefined) {
    const fault = checkCredentialsPath(path, operator);
    return fault === null ? [] : [fault];
  }
  const account = parseServiceAccount(credentials, operator);
  return 'faults' in account ? account.faults : [];
}

// Only the worker knows the project of a credentials file.
function impliedProject({ credentials, ...given }: Cloud3SmSettings): { project_id?: string } {
  const isKey = credentials !== undefined && credentialsPath(credentials) === undefined;
  const project = isKey ? projectIn(credentials) : projectOfAccount(given);
  return project === undefined ? {} : { project_id: project };
}

function impliedSettings(given: Cloud3SmSettings): Partial<Cloud3SmSettings> {
  return { ...impliedProject(given), ...placementOf(given) };
}

// The account, and which of its keys.
function idIn(credentials = ''): Record<string, string> {
  const { client_email: account, private_key_id: key } = parseObject(credentials) ?? {};
  if (typeof account !== 'string') return {};
  return { credentials: typeof key === 'string' ? `${account}, key ${key}` : account };
}

// The path is part of a masked field, so only a hash of it goes into the name.
function container(given: Cloud3SmSettings, { namespace = '' }: Pick<OperatorSettings, 'namespace'>): string {
  const { credentials, project_id: project = impliedProject(given).project_id } = given;
  const path = credentials === undefined ? undefined : credentialsPath(credentials);
  if (project !== undefined || path === undefined) return `cloud3-sm:${project ?? 'unknown'}`;
  return `cloud3-sm:file:${createHash('sha256').update(posix.join(namespace, path)).digest('hex').slice(0, 16)}`;
}

/** Google Cloud Secret Manager as data; the figures are the vendor's documented quotas. */
export const destination: Destination<typeof settings> = {
  type: 'cloud3-sm',
  aliases: ['gcp-sm'],
  title: 'Google Cloud Secret Manager',
  settings,
  modes,
  settingRules: [federationFaults, checkCredentials, checkPlacement],
  container,
  credentialIds: ({ credentials }) => idIn(credentials),
  fixedSettings: ['project_id', 'kms_key_id', 'replica_regions'],
  impliedSettings,
  identity: {
    credential: 'credentials',
    takesOn: 'service_account_email',
    subjectType: 'gcp-sm',
    subjectBytes: 127,
  },
  identityOf: projectOf,
  defaultGranularity: 'secret-path',
  names: { allowed: /[A-Za-z0-9_-]/, replacement: '-', maxLength: 255 },
  limits: { valueBytes: 65_536 },
  tags: {
    max: 63,
    key: {
      expression: new RegExp(`^(?!${OWNER_TAG}$)[a-z][a-z0-9_-]{0,62}$`),
      message: `a label key has 1 to 63 lower case letters, digits, _ or -, starts with a letter and is not ${OWNER_TAG}`,
    },
    value: {
      expression: /^[a-z0-9_-]{0,63}$/,
      message: 'a label value has at most 63 lower case letters, digits, _ or -',
    },
  },
  createIsExclusive: true,
  readable: true,
  rate: { writes: 600, perMs: 60_000 },
  address: { variable: 'CLOUD3_SM_API_URL', usual: 'https://secretmanager.googleapis.com' },
  credentialFiles: true,
};
