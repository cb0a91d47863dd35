import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';

// JSON can hold an object whose conversion to a text throws.
const ODD: unknown = JSON.parse('{"toString":1,"valueOf":null,"constructor":{"prototype":{}}}');

const BODIES: [path: string, body: unknown][] = [
  ['sys/sync/destinations/cloud1-sm/odd', { access_key_id: 'EXAMPLEKEYID', secret_access_key: ODD }],
  ['sys/sync/destinations/cloud1-sm/odd', { region: ODD }],
  ['sys/sync/destinations/cloud1-sm/odd', { custom_tags: { team: ODD } }],
  ['sys/mounts/odd', { type: 'kv', config: { max_lease_ttl: ODD } }],
  ['sys/mounts/odd', { type: 'kv', options: { version: ODD } }],
  ['sys/mounts/secret/tune', { default_lease_ttl: ODD }],
  ['sys/policies/acl/odd', { policy: ODD }],
  ['secret/data/odd', { data: { a: 1 }, options: { cas: ODD } }],
  ['secret/metadata/odd', { delete_version_after: ODD }],
  ['secret/metadata/odd', { custom_metadata: { team: ODD } }],
  ['secret/delete/odd', { versions: [ODD] }],
  ['auth/token/create', { ttl: ODD }],
  ['auth/token/create', { policies: [ODD] }],
  ['auth/token/create', { meta: { team: ODD } }],
  ['auth/token/renew-self', { increment: ODD }],
];

describe('values that cannot be converted to a text', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  for (const [path, body] of BODIES) {
    it(`POST ${path} refuses the object in ${JSON.stringify(body).slice(0, 40)}…`, async () => {
      const answer = await sealift.client.post(`/v1/${path}`, body);
      expect(answer.status, answer.text).to.equal(400);
    });
  }
});
