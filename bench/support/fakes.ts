import type { Fault } from '../../test/sandbox/contract.ts';
import { startHelper } from './child.ts';
import type { FakeAddress } from './stores.ts';

/** A call that the store answered: time (milliseconds since the epoch, with fractions), operation, entry, status. */
export type Stamp = [at: number, operation: string, target: string | null, status: number];

export type FakeCommand = {
  id: number;
  type: string;
  do: 'fault' | 'clearFaults' | 'reset' | 'take' | 'count';
  fault?: Fault;
};

/** The fake stores, in their own process. */
export type Fakes = {
  addresses: Record<string, FakeAddress>;
  /** A proxy in front of the AWS fake; see `startMoodyProxy`. */
  moodyUrl: string;
  addFault: (type: string, fault: Fault) => Promise<void>;
  /** Makes the store answer at once and without limit again; AWS accepts any number of versions. */
  calm: (type: string) => Promise<void>;
  reset: (type: string) => Promise<void>;
  /** Returns all calls answered since the last `take`, and how many calls the write limit refused. */
  take: (type: string) => Promise<{ stamps: Stamp[]; refused: number }>;
  /** How many calls the store answered since the last `take`. */
  count: (type: string) => Promise<number>;
  /** Environment variables that lead connectors to the fakes. */
  environment: Record<string, string>;
  stop: () => Promise<void>;
};

/** Undo: `stop`. */
export async function startFakes(): Promise<Fakes> {
  const helper = await startHelper('fakes-process.js');
  const { addresses, moody } = helper.greeting as { addresses: Record<string, FakeAddress>; moody: string };
  const ask = <Answer>(command: Omit<FakeCommand, 'id'>): Promise<Answer> => helper.ask<Answer>(command);
  const calm = async (type: string): Promise<void> => {
    await ask({ type, do: 'clearFaults' });
    if (type === 'cloud1-sm') await ask({ type, do: 'fault', fault: { kind: 'no-version-limit' } });
  };
  for (const type of Object.keys(addresses)) await calm(type);
  return {
    addresses,
    moodyUrl: moody,
    addFault: async (type, fault) => void (await ask({ type, do: 'fault', fault })),
    calm,
    reset: async (type) => {
      await ask({ type, do: 'reset' });
      await calm(type);
    },
    take: (type) => ask({ type, do: 'take' }),
    count: (type) => ask({ type, do: 'count' }),
    environment: environmentOf(addresses),
    stop: helper.stop,
  };
}

function environmentOf(addresses: Record<string, FakeAddress>): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses['cloud1-sm']?.url ?? '',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
    SEALIFT_AZURE_AUTHORITY_HOST: addresses['cloud2-kv']?.details['authority'] ?? '',
    NODE_EXTRA_CA_CERTS: addresses['cloud2-kv']?.details['ca'] ?? '',
    CLOUD3_SM_API_URL: addresses['cloud3-sm']?.url ?? '',
    HOSTING_PROJECT_API_URL: addresses['hosting-project']?.url ?? '',
    REPO_HOST_API_URL: addresses['repo-host']?.url ?? '',
    EGRESS_ALLOW: '127.0.0.0/8,localhost',
  };
}
