import { randomUUID } from 'node:crypto';
import type { ConnectorContext, PutEntry, Session } from '../../../libs/connector/contract.ts';
import { connector } from '../../../services/connectors/azure-key-vault/connector.ts';
import type { Cloud2KvSettings } from '../../../services/connectors/azure-key-vault/destination.ts';
import type { Cloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { TENANT } from '../../sandbox/given-out.ts';
import { calm } from '../conformance/verb-table.ts';

export { failureOf } from '../conformance/failure-of.ts';
export { calm } from '../conformance/verb-table.ts';

export const INSTALLATION = 'installation-one';
export const NAME = 'sealift-kv-1-app-db';
export const KEY = { name: NAME, reference: null };
export const MARK = { 'sealift-installation': INSTALLATION };
export const OTHER_MARK = { 'sealift-installation': 'installation-two' };
export { TENANT };

/** Environment variables that lead a connector to the fake's sign-in service. */
export function environmentOf(fake: Cloud2KvFake): ConnectorContext['environment'] {
  const values: Record<string, string> = {
    SEALIFT_AZURE_AUTHORITY_HOST: fake.details.authority,
    NODE_EXTRA_CA_CERTS: fake.details.ca,
  };
  return (name) => values[name];
}

/** A session on the fake. */
export async function openSession(
  fake: Cloud2KvFake,
  settings: { [Field in keyof Cloud2KvSettings]?: Cloud2KvSettings[Field] | undefined } = {},
  context: Partial<ConnectorContext> = {},
): Promise<Session> {
  const all = {
    key_vault_uri: fake.url,
    client_id: 'application',
    client_secret: 'client~secret',
    tenant_id: TENANT,
    ...settings,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return connector.open(given as Cloud2KvSettings, {
    installation: INSTALLATION,
    callTimeoutMs: 5000,
    egressAllow: ['127.0.0.0/8'],
    environment: environmentOf(fake),
    ...context,
  });
}

/** The same, already signed in, so that the ledger contains only the calls of a verb. */
export async function openWarmSession(
  fake: Cloud2KvFake,
  settings: Partial<Cloud2KvSettings> = {},
  context: Partial<ConnectorContext> = {},
): Promise<Session> {
  const session = await openSession(fake, settings, context);
  await session.read({ name: 'warm-up', reference: null }, calm());
  fake.clearCalls();
  fake.authority.clearCalls();
  return session;
}

/** An entry to put, with a new token by default. */
export function entry(change: Partial<PutEntry> = {}): PutEntry {
  return { ...KEY, value: '{"a":"1"}', tags: {}, expect: 'absent', token: randomUUID(), ...change };
}

/** The operations that reached the vault, in order. */
export const operationsOf = (fake: Cloud2KvFake): string[] => fake.calls().map(({ operation }) => operation);
