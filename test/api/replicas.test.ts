import { expect } from 'chai';
import { startApi } from '../../services/api/start.ts';
import type { Service } from '../../libs/service/run-service.ts';
import { createClient, type Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('two API processes of one installation', () => {
  let sealift: Sealift;
  let other: Client;

  before(async () => {
    sealift = await startSealift();
    const { port } = (await sealift.start('api-2', startApi)) as Service & { port: number };
    other = createClient(`http://127.0.0.1:${port}`, sealift.token);
  });
  after(() => sealift.stop());

  async function createSecret(): Promise<string> {
    const answer = await sealift.client.post('/v1/auth/token/create', { policies: ['watcher'] });
    return answer.body.auth.client_token;
  }

  async function writePolicy(capability: string): Promise<void> {
    const policy = JSON.stringify({ path: { 'secret/metadata/*': { capabilities: [capability] } } });
    const answer = await sealift.client.post('/v1/sys/policies/acl/watcher', { policy });
    expect(answer.status, answer.text).to.be.below(300);
  }

  it('a revoked token is refused at once by its replica, and by the other within two seconds', async () => {
    const token = await createSecret();
    const self = '/v1/auth/token/lookup-self';
    for (const client of [sealift.client, other])
      expect((await client.get(self, { token })).status).to.equal(200);
    await sealift.client.post('/v1/auth/token/revoke', { token });
    expect((await sealift.client.get(self, { token })).status).to.equal(403);
    await eventually(async () => (await other.get(self, { token })).status === 403, { limitMs: 2000 });
  });

  it('a lost right is gone at once at its replica, and at the other within two seconds', async () => {
    await writePolicy('list');
    const token = await createSecret();
    // The list is empty, but only a caller with the right gets that answer (404).
    for (const client of [sealift.client, other])
      expect((await client.list('/v1/secret/metadata/x', { token })).status).to.equal(404);
    await writePolicy('deny');
    expect((await sealift.client.list('/v1/secret/metadata/x', { token })).status).to.equal(403);
    await eventually(async () => (await other.list('/v1/secret/metadata/x', { token })).status === 403, {
      limitMs: 2000,
    });
  });
});
