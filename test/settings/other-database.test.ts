import { expect } from 'chai';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const SMTP = '/api/v2/admin/smtp-settings';
const KEYS = '/v1/.well-known/jwks';

describe('an API whose queues are those of another database', () => {
  let production: Sealift;
  let scratch: Sealift;

  before(async () => {
    production = await startSealift({
      workers: { settings: startSettingsWorker, 'key-maintenance': startKeyMaintenance },
    });
    // As if it were restored from a backup: all is the same but the database.
    const { AMQP_PREFIX = '', SEALIFT_MASTER_KEY = '' } = production.environment;
    scratch = await startSealift({ environment: { AMQP_PREFIX, SEALIFT_MASTER_KEY } });
  });
  after(async () => {
    await scratch.stop();
    await production.stop();
  });

  it('commands for another database change nothing there, and are refused with what to do', async () => {
    const host = async () => (await production.client.get(SMTP)).body.data.attributes.host;
    const keys = async () => (await production.client.get(KEYS)).text;
    const before = [await host(), await keys()];
    for (const answer of [
      await scratch.client.patch(SMTP, { data: { attributes: { host: 'scratch.example' } } }),
      await scratch.client.post('/api/v2/admin/oidc-settings/actions/rotate-key'),
    ]) {
      expect(answer.status, answer.text).to.equal(503);
      expect(answer.headers).to.have.property('retry-after');
      expect(answer.text).to.include('works on another database').and.include('AMQP_PREFIX');
    }
    expect([await host(), await keys()]).to.deep.equal(before);
  });

  it('workers with queues of their own do what their API asks, in their own database', async () => {
    const { AMQP_PREFIX = '' } = production.environment;
    const own = await startSealift({
      environment: { AMQP_PREFIX: `${AMQP_PREFIX}-own` },
      workers: { settings: startSettingsWorker },
    });
    const answer = await own.client.patch(SMTP, { data: { attributes: { host: 'own.example' } } });
    expect(answer.status, answer.text).to.equal(200);
    await own.stop();
  });
});
