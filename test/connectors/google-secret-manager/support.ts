import { randomUUID } from 'node:crypto';
import type { ConnectorContext, PutEntry, Session } from '../../../libs/connector/contract.ts';
import { connector } from '../../../services/connectors/google-secret-manager/connector.ts';
import type { Cloud3SmSettings } from '../../../services/connectors/google-secret-manager/destination.ts';
import type { Cloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';

export { failureOf } from '../conformance/failure-of.ts';
export { calm } from '../conformance/verb-table.ts';

export const INSTALLATION = 'installation-one';
export const NAME = 'sealift-kv_1-app-db';
export const KEY = { name: NAME, reference: null };
export const MARK = { 'sealift-installation': INSTALLATION };

export type Opening = Partial<ConnectorContext> & { variables?: Record<string, string> };

/** A session on the fake, with a new key unless `credentials` is given. */
export async function openSession(
  fake: Cloud3SmFake,
  settings: { [Field in keyof Cloud3SmSettings]?: Cloud3SmSettings[Field] | undefined } = {},
  { variables = {}, ...context }: Opening = {},
): Promise<Session> {
  const values: Record<string, string> = {
    CLOUD3_SM_API_URL: fake.url,
    GOOGLE_STS_URL: fake.url,
    GOOGLE_IAMCREDENTIALS_URL: fake.url,
    ...variables,
  };
  const all = Object.entries({ credentials: fake.createKey(), ...settings });
  return connector.open(Object.fromEntries(all.filter(([, value]) => value !== undefined)), {
    installation: INSTALLATION,
    callTimeoutMs: 5000,
    egressAllow: [],
    environment: (name) => values[name],
    ...context,
  });
}

/** An entry to put, with a new token by default. */
export function entry(change: Partial<PutEntry> = {}): PutEntry {
  return { ...KEY, value: '{"a":"1"}', tags: {}, expect: 'absent', token: randomUUID(), ...change };
}

/** The operations that reached the store, in order. */
export const operationsOf = (fake: Cloud3SmFake): string[] => fake.calls().map(({ operation }) => operation);
