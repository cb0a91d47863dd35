import { expect } from 'chai';
import type { StatusAnswer } from '../../services/api/contract/status.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

describe('the status of the service', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });

  after(() => sealift.stop());

  const read = async (): Promise<StatusAnswer> => (await sealift.client.get('/v1/sys/status')).body.data;
  const stateOf = ({ findings }: StatusAnswer, check: string) =>
    findings.find((finding) => finding.check === check)?.state;

  it('a worker that is needed and does not run is told, until it runs', async () => {
    const before = await read();
    expect(stateOf(before, 'workers')).to.equal('warning');
    for (const check of ['database', 'schema', 'clock', 'master key', 'broker', 'lost writes'])
      expect(stateOf(before, check), check).to.equal('ok');
    await sealift.start('settings', startSettingsWorker);
    await eventually(async () => {
      const { workers } = await read();
      return workers?.find(({ name }) => name === 'settings')?.running === 1;
    });
  });

  it('a type with destinations is told with what is due for it', async () => {
    await sealift.client.post('/v1/sys/sync/destinations/hosting-project/site', {
      access_token: 'a-hidden-token',
      project_id: 'prj_1',
      deployment_environments: ['production'],
    });
    await eventually(async () => {
      const { workers } = await read();
      const worker = workers?.find(({ name }) => name === 'connector hosting-project');
      return worker?.running === 0 && worker.due === 0;
    });
  });

  it('a destination that must wait has no age of due work, and never a negative one', async () => {
    const until = new Date(Date.now() + 3_600_000);
    for (const column of ['throttled_until', 'probe_at']) {
      await sealift.context
        .db('destinations')
        .update({ throttled_until: null, probe_at: null, [column]: until });
      await eventually(async () => {
        const before = new Date().toISOString();
        const { time, workers } = await read();
        const worker = workers?.find(({ name }) => name === 'connector hosting-project');
        expect(worker?.oldest_due_seconds, column).to.equal(0);
        return time > before;
      });
    }
  });

  it('a loss of writes is told, and what to do about it', async () => {
    await sealift.context.db('database_branch').update({ loss_found_at: new Date() });
    await eventually(async () => {
      const status = await read();
      const finding = status.findings.find(({ check }) => check === 'lost writes');
      return status.lost_writes && finding?.state === 'failed' && finding.advice?.includes('recover');
    });
    await sealift.context.db('database_branch').update({ loss_found_at: null });
    await eventually(async () => !(await read()).lost_writes);
  });

  it('a database that refuses a part of the answer is told in the answer', async () => {
    const { db } = sealift.context;
    for (const table of ['oidc_keys', 'settings', 'destinations', 'master_keys']) {
      await db.raw(`ALTER TABLE ${table} RENAME TO away`);
      try {
        const askedAt = new Date().toISOString();
        await eventually(async () => {
          const answer = await sealift.client.get('/v1/sys/status');
          expect(answer.status, `${table}: ${answer.text}`).to.equal(200);
          const status = answer.body.data as StatusAnswer;
          if (status.time < askedAt) return false;
          if (table === 'oidc_keys') expect(status.signing_keys).to.equal(null);
          const details = status.findings.map(({ state, detail }) => `${state} ${detail}`).join('\n');
          return expect(details, table).to.match(/^failed .*42P01/m);
        });
      } finally {
        await db.raw(`ALTER TABLE away RENAME TO ${table}`);
      }
    }
  });

  it('only who has the right to it reads it, and of the root namespace only', async () => {
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const { client_token: token } = made.body.auth;
    expect((await sealift.client.get('/v1/sys/status', { token })).status).to.equal(403);
    await sealift.client.post('/v1/sys/namespaces/below');
    expect((await sealift.client.get('/v1/sys/status', { namespace: 'below' })).status).to.equal(403);
  });
});
