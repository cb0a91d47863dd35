import { expect } from 'chai';
import type { AuditEventAnswer } from '../../../services/api/contract/administration.ts';
import type { Sealift } from '../../support/sealift.ts';

export const AUDIT = '/api/v2/admin/audit-events';

export type Entry = AuditEventAnswer['attributes'];

/** The entries that match filters, newest first; at most a page. */
export async function entriesWith(
  { client }: Pick<Sealift, 'client'>,
  filters: Record<string, string>,
): Promise<Entry[]> {
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [`filter[${name}]`, value] as [string, string]),
  );
  const answer = await client.get(`${AUDIT}?page[size]=100&${query.toString()}`);
  expect(answer.status, answer.text).to.equal(200);
  return answer.body.data.map((event: AuditEventAnswer) => event.attributes);
}

/** The only entry of a request. */
export async function entryOf(sealift: Pick<Sealift, 'client'>, requestId: string): Promise<Entry> {
  const [entry, ...others] = await entriesWith(sealift, { 'request-id': requestId });
  expect(others).to.deep.equal([]);
  expect(entry, `an entry of ${requestId}`).to.not.equal(undefined);
  return entry as Entry;
}

/** Options of a call whose entry `entryOf` finds. */
export function named(requestId: string, headers: Record<string, string> = {}) {
  return { headers: { 'x-request-id': requestId, ...headers } };
}
