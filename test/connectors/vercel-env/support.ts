import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ConnectorContext, PutEntry, Session, Written } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { connector } from '../../../services/connectors/vercel-env/connector.ts';
import type { HostingProjectSettings } from '../../../services/connectors/vercel-env/destination.ts';
import type { StoredEntry } from '../../sandbox/fake-server.ts';
import type { HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { calm } from '../conformance/verb-table.ts';

export { failureOf } from '../conformance/failure-of.ts';
export { calm, callsTo as operations } from '../conformance/verb-table.ts';

export const INSTALLATION = '0f0f0f0f-1111-4222-8333-444444444444';
export const MARK = `sealift ${INSTALLATION} production`;
export const TOKEN = 'vcp_token-of-the-tests';

/** A session on the fake, opened like the engine does it. */
export async function openSession(
  fake: HostingProjectFake,
  settings: Partial<HostingProjectSettings> = {},
  context: Partial<ConnectorContext> = {},
): Promise<Session> {
  return connector.open(
    {
      access_token: TOKEN,
      project_id: 'prj_web',
      deployment_environments: ['production'],
      ...settings,
    },
    {
      environment: (name) => (name === 'HOSTING_PROJECT_API_URL' ? fake.url : undefined),
      egressAllow: [],
      installation: INSTALLATION,
      callTimeoutMs: 5000,
      ...context,
    },
  );
}

/** A new entry; a known one if it has a reference. */
export function entryOf(name: string, value: string, reference?: string | null): PutEntry {
  const expected = reference === undefined ? 'absent' : 'present';
  return { name, value, reference: reference ?? null, tags: {}, expect: expected, token: randomUUID() };
}

/** Writes several entries in one `putMany`. */
export async function putAll(session: Session, entries: PutEntry[]): Promise<(Written | ConnectorError)[]> {
  if (!session.putMany) throw new Error('the connector takes no batches');
  return session.putMany(entries, calm());
}

/** The outcome of each result: its code, or `written`. */
export const outcomes = (results: (Written | ConnectorError)[]): string[] =>
  results.map((result) => (result instanceof ConnectorError ? result.code : 'written'));

/** The rows of a key, as `production=value`. */
export const rowsOf = (fake: HostingProjectFake, key: string): string[] =>
  fake
    .entries()
    .filter(({ name }) => name === key)
    .map((row) => `${environmentsOf(row)}=${row.value}`)
    .toSorted();

/** The one row of a key. */
export function rowOf(fake: HostingProjectFake, key: string): StoredEntry & { id: string } {
  const rows = fake.entries().filter(({ name }) => name === key);
  expect(rows, `rows of ${key}`).to.have.length(1);
  return rows[0] as StoredEntry & { id: string };
}

function environmentsOf(row: StoredEntry): string {
  return [...(row['target'] as string[]), ...(row['customEnvironmentIds'] as string[])].join('+');
}
