import type { Destination } from '../../libs/connector/contract.ts';
import { destination as cloud1Destination } from '../../services/connectors/aws-secrets-manager/destination.ts';
import { destination as cloud2Destination } from '../../services/connectors/azure-key-vault/destination.ts';
import { destination as cloud3Destination } from '../../services/connectors/google-secret-manager/destination.ts';
import { destination as hostingDestination } from '../../services/connectors/vercel-env/destination.ts';
import { destination as repositoryDestination } from '../../services/connectors/github-secrets/destination.ts';

/** The address of a fake and how to sign in, as it tells other processes. */
export type FakeAddress = { url: string; details: Record<string, string> };

export type Store = {
  destination: Destination;
  /** Settings that the fake accepts. */
  settings: (fake: FakeAddress) => Record<string, unknown>;
  /** The fake's operations that write a value. */
  writes: string[];
  /** Calls of an update, one after the other: the write, and those that ask who owns the entry (docs/design/ownership.md). */
  calls: number;
  /** The vendor's documented limit of writes; undefined: none is documented. */
  limit?: { writes: number; perMs: number };
  /** Largest number of secrets of one destination; stores with a limit of their own have fewer than the measures ask for. */
  capacity: number;
};

/** The measured stores, by destination type. */
export const stores: Record<string, Store> = {
  'cloud1-sm': {
    destination: cloud1Destination,
    settings: () => awsSettings('eu-west-1'),
    writes: ['CreateSecret', 'PutSecretValue'],
    calls: 1,
    limit: { writes: 50, perMs: 1000 },
    capacity: 100_000,
  },
  'cloud2-kv': {
    destination: cloud2Destination,
    settings: (fake) => ({
      key_vault_uri: fake.url,
      client_id: 'application',
      client_secret: 'a-client-secret',
      tenant_id: '11111111-2222-4333-8444-555555555555',
    }),
    writes: ['SetSecret'],
    calls: 2,
    limit: { writes: 300, perMs: 10_000 },
    capacity: 100_000,
  },
  'cloud3-sm': {
    destination: cloud3Destination,
    settings: (fake) => ({ credentials: fake.details['key'] }),
    writes: ['CreateSecret', 'AddSecretVersion'],
    calls: 2,
    limit: { writes: 10, perMs: 1000 },
    capacity: 100_000,
  },
  'hosting-project': {
    destination: hostingDestination,
    settings: () => ({
      access_token: 'vcp_valid',
      project_id: 'prj_web',
      deployment_environments: ['production', 'preview'],
    }),
    writes: ['createEnv', 'upsertEnv', 'editEnv'],
    // For each batch.
    calls: 2,
    // 120 calls a minute (https://vercel.com/docs/limits), each with a batch.
    limit: { writes: 120 * (hostingDestination.batchSize ?? 1), perMs: 60_000 },
    // All values of a project may have 64 KB together.
    capacity: 1000,
  },
  'repo-host': {
    destination: repositoryDestination,
    settings: () => ({ access_token: 'ghp_valid', repository_owner: 'acme', repository_name: 'web' }),
    writes: ['putSecret'],
    calls: 3,
    limit: { writes: 3, perMs: 1000 },
    capacity: 100,
  },
};

/** A store by its type. Throws if the store is not measured. */
export function storeOf(type: string): Store {
  const store = stores[type];
  if (!store) throw new Error(`no such store: ${type}`);
  return store;
}

/** AWS settings. Each region is a separate store, so destinations do not share names. */
export function awsSettings(region: string): Record<string, unknown> {
  return { access_key_id: 'AKIAEXAMPLEONE', secret_access_key: 'a-secret-key', region };
}
