import { expect } from 'chai';
import type { RecordAnswer } from '../../services/api/contract/associations.ts';
import type { Answer } from './client.ts';
import { eventually } from './eventually.ts';
import type { Sealift } from './sealift.ts';

/** A user's actions on one destination, over the API only. */
export type SyncDriver = {
  path: string;
  configure: (body: Record<string, unknown>) => Promise<Answer>;
  patch: (body: Record<string, unknown>) => Promise<Answer>;
  write: (secret: string, data: Record<string, unknown>) => Promise<number>;
  associate: (secret: string) => Promise<Answer>;
  dissociate: (secret: string) => Promise<Answer>;
  records: (secret?: string) => Promise<RecordAnswer[]>;
  /** Waits until all records of a secret have this status. */
  settles: (secret: string, status: string) => Promise<RecordAnswer[]>;
};

/** Drives `sys/sync` for one destination and the mount `secret/`. */
export function createSyncDriver(sealift: Sealift, type: string, name: string): SyncDriver {
  const { client } = sealift;
  const path = `/v1/sys/sync/destinations/${type}/${name}`;
  const records = async (secret?: string): Promise<RecordAnswer[]> => {
    const answer = await client.get(`${path}/associations?limit=1000`);
    expect(answer.status, answer.text).to.equal(200);
    const all: RecordAnswer[] = Object.values(answer.body.data.associated_secrets);
    return all.filter((record) => secret === undefined || record.secret_name === secret);
  };
  return {
    path,
    configure: (body) => client.post(path, body),
    patch: (body) =>
      client.patch(path, body, { headers: { 'content-type': 'application/merge-patch+json' } }),
    write: async (secret, data) => {
      const answer = await client.post(`/v1/secret/data/${secret}`, { data });
      expect(answer.status, answer.text).to.equal(200);
      return answer.body.data.version;
    },
    associate: (secret) => client.post(`${path}/associations/set`, { mount: 'secret', secret_name: secret }),
    dissociate: (secret) =>
      client.post(`${path}/associations/remove`, { mount: 'secret', secret_name: secret }),
    records,
    settles: (secret, status) =>
      eventually(async () => {
        const found = await records(secret);
        const statuses = found.map((record) => record.sync_status);
        expect(statuses, JSON.stringify(found)).to.deep.equal(found.map(() => status));
        expect(found).to.not.have.length(0);
        return found;
      }),
  };
}
