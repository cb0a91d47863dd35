import type { Connector, Destination } from '../../libs/connector/contract.ts';
import type { Discarding, Fake, FakeOptions, PlantedEntry } from '../sandbox/contract.ts';
import { TENANT } from '../sandbox/given-out.ts';

export type FaultyFake = Fake & Discarding;

/** The facts about a destination type that a fault run needs. `url` leads to the fake through a proxy. */
export type Kind<Started extends FaultyFake = FaultyFake> = {
  type: string;
  start: (options: FakeOptions) => Promise<Started>;
  /** Environment variables that lead a worker to the fake. */
  environment: (fake: Started, url: string) => Record<string, string>;
  /** The connection settings of a destination with this name. */
  settings: (fake: Started, url: string, destination: string) => Record<string, unknown>;
  /** A foreign entry, in the place where a destination of this name has its entries. */
  foreign: (entry: { name: string; value: string }, destination: string) => PlantedEntry;
  /** True if each key of a secret has its own entry. It also decides how names are spelled. */
  byKey: boolean;
  separator: '-' | '_';
  spell: (name: string) => string;
  hasTags: boolean;
  /** Which calls name an entry by an id, so that no race can make them touch an entry that somebody else has re-created. */
  byIdentity: 'all' | 'deletions' | 'none';
  /** True if the clocks of its workers may be wrong by an hour. */
  anyClock: boolean;
  writes: string[];
  /**
   * The calls that tell whether there is an entry of that name and whose it is; a successful creation tells that there was
   * none. Empty for stores without entries by name: there the judge asks for no look.
   */
  looks: string[];
  load: () => Promise<{ connector: Connector; destination: Destination }>;
};

const AS_IS = (name: string): string => name;

/**
 * All destination types, with their real connectors. Connectors and stand-ins are loaded when they are asked for: each start of
 * a worker would load the stand-ins of all types.
 */
export const kinds: Kind[] = [
  define({
    type: 'cloud1-sm',
    start: async (options) =>
      (await import('../sandbox/aws-secrets-manager/fake.ts')).startCloud1SmFake(options),
    environment: (_fake, url) => ({ AWS_ENDPOINT_URL_SECRETS_MANAGER: url }),
    settings: () => ({
      access_key_id: 'AKIAEXAMPLEONE',
      secret_access_key: 'a-secret-key',
      region: 'eu-west-1',
    }),
    foreign: (entry) => entry,
    byKey: false,
    separator: '-',
    spell: AS_IS,
    hasTags: true,
    byIdentity: 'all',
    anyClock: true,
    writes: [
      'CreateSecret',
      'PutSecretValue',
      'TagResource',
      'UntagResource',
      'DeleteSecret',
      'RestoreSecret',
    ],
    looks: [],
    load: async () => ({
      ...(await import('../../services/connectors/aws-secrets-manager/connector.ts')),
      ...(await import('../../services/connectors/aws-secrets-manager/destination.ts')),
    }),
  }),
  define({
    type: 'cloud2-kv',
    start: async (options) => (await import('../sandbox/azure-key-vault/fake.ts')).startCloud2KvFake(options),
    environment: ({ details }) => ({
      SEALIFT_AZURE_AUTHORITY_HOST: details.authority,
      NODE_EXTRA_CA_CERTS: details.ca,
    }),
    settings: (_fake, url) => ({
      key_vault_uri: url,
      client_id: 'application',
      client_secret: 'a-client-secret',
      tenant_id: TENANT,
    }),
    foreign: (entry) => entry,
    byKey: false,
    separator: '-',
    spell: AS_IS,
    hasTags: true,
    byIdentity: 'none',
    anyClock: false,
    writes: ['SetSecret', 'UpdateSecret', 'DeleteSecret', 'RecoverDeletedSecret', 'PurgeDeletedSecret'],
    // Not GetDeletedSecret: it finds nothing also if there is an entry.
    looks: ['GetSecret'],
    load: async () => ({
      ...(await import('../../services/connectors/azure-key-vault/connector.ts')),
      ...(await import('../../services/connectors/azure-key-vault/destination.ts')),
    }),
  }),
  define({
    type: 'cloud3-sm',
    start: async (options) =>
      (await import('../sandbox/google-secret-manager/fake.ts')).startCloud3SmFake(options),
    environment: (_fake, url) => ({ CLOUD3_SM_API_URL: url }),
    settings: (fake) => ({ credentials: fake.createKey() }),
    foreign: (entry) => entry,
    byKey: false,
    separator: '-',
    spell: AS_IS,
    hasTags: true,
    byIdentity: 'none',
    anyClock: false,
    writes: ['CreateSecret', 'AddSecretVersion', 'UpdateSecret', 'DestroySecretVersion', 'DeleteSecret'],
    looks: ['GetSecret', 'CreateSecret'],
    load: async () => ({
      ...(await import('../../services/connectors/google-secret-manager/connector.ts')),
      ...(await import('../../services/connectors/google-secret-manager/destination.ts')),
    }),
  }),
  define({
    type: 'hosting-project',
    start: async (options) =>
      (await import('../sandbox/vercel-env/fake.ts')).startHostingProjectFake(options),
    environment: (_fake, url) => ({ HOSTING_PROJECT_API_URL: url }),
    settings: (_fake, _url, destination) => ({
      access_token: 'vcp_valid',
      project_id: `prj_${destination}`,
      deployment_environments: ['production'],
    }),
    foreign: (entry, destination) => ({ ...entry, project: `prj_${destination}`, target: ['production'] }),
    byKey: true,
    separator: '_',
    spell: AS_IS,
    hasTags: false,
    byIdentity: 'deletions',
    anyClock: true,
    writes: ['createEnv', 'upsertEnv', 'editEnv', 'removeEnv'],
    looks: [],
    load: async () => ({
      ...(await import('../../services/connectors/vercel-env/connector.ts')),
      ...(await import('../../services/connectors/vercel-env/destination.ts')),
    }),
  }),
  define({
    type: 'repo-host',
    start: async (options) => (await import('../sandbox/github-secrets/fake.ts')).startRepoHostFake(options),
    environment: (_fake, url) => ({ REPO_HOST_API_URL: url }),
    settings: (_fake, _url, destination) => ({
      access_token: 'ghp_valid',
      repository_owner: 'acme',
      repository_name: destination,
    }),
    foreign: (entry, destination) => ({
      ...entry,
      repository: `acme/${destination}`,
      createdAt: '2020-01-01T00:00:00Z',
    }),
    byKey: true,
    separator: '_',
    spell: (name) => name.toUpperCase(),
    hasTags: false,
    byIdentity: 'none',
    anyClock: true,
    writes: ['putSecret', 'deleteSecret'],
    looks: ['getSecret'],
    load: async () => ({
      ...(await import('../../services/connectors/github-secrets/connector.ts')),
      ...(await import('../../services/connectors/github-secrets/destination.ts')),
    }),
  }),
];

/** The kind of a destination type. Throws for an unknown one. */
export function kindOf(type: string): Kind {
  const found = kinds.find((kind) => kind.type === type);
  if (!found) throw new Error(`there is no kind ${type}`);
  return found;
}

// Safe, because a kind only ever gets the fake that it has started.
function define<Started extends FaultyFake>(kind: Kind<Started>): Kind {
  return kind as unknown as Kind;
}
