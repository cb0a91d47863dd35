import { randomUUID } from 'node:crypto';
import type { ConnectorContext, EntryKey, PutEntry, Session } from '../../../libs/connector/contract.ts';
import { connector } from '../../../services/connectors/aws-secrets-manager/connector.ts';
import type { Cloud1SmSettings } from '../../../services/connectors/aws-secrets-manager/destination.ts';
import type { Cloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';

export { failureOf } from '../conformance/failure-of.ts';
export { calm } from '../conformance/verb-table.ts';

export const INSTALLATION = 'installation-one';
export const NAME = 'sealift/kv_1/app/db';
export const KEY = { name: NAME, reference: null };
export const MARK = { 'sealift-installation': INSTALLATION };

/** A session on the fake. A setting of undefined, such as `{region: undefined}`, leaves the field out. */
export async function openSession(
  fake: Cloud1SmFake,
  settings: { [Field in keyof Cloud1SmSettings]?: Cloud1SmSettings[Field] | undefined } = {},
  context: Partial<ConnectorContext> = {},
): Promise<Session> {
  const all = {
    access_key_id: 'AKIATEST',
    secret_access_key: 'wJalr-secret',
    region: 'eu-west-1',
    ...settings,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return connector.open(given, {
    installation: INSTALLATION,
    callTimeoutMs: 5000,
    egressAllow: [],
    environment: (name) => (name.startsWith('AWS_ENDPOINT_URL_') ? fake.url : undefined),
    ...context,
  });
}

/** The ledger's key of the planted entry, by its ARN. Without an entry, the ARN is one of a deleted entry. */
export function ownedIn(fake: Cloud1SmFake, name = NAME): EntryKey {
  const arn = fake.entries().find((planted) => planted.name === name)?.['arn'];
  const gone = `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${name}-AbCdEf`;
  return { name, reference: typeof arn === 'string' ? arn : gone };
}

/** An entry to put, with a new token by default. */
export function entry(change: Partial<PutEntry> = {}): PutEntry {
  return { ...KEY, value: '{"a":"1"}', tags: {}, expect: 'absent', token: randomUUID(), ...change };
}

/** The operations that reached the store, in order. */
export const operationsOf = (fake: Cloud1SmFake): string[] => fake.calls().map(({ operation }) => operation);
