import { expect } from 'chai';
import { choosePort } from '../../deploy/local/ports.ts';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { runCommand } from '../cli/support.ts';
import { spawnProcess } from '../support/child-process.ts';
import { createClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift } from '../support/sealift.ts';

describe('a role that lacks a right on one table', () => {
  it('the table and the SQLSTATE are told by the log, readiness, the status and doctor', async () => {
    const sealift = await startSealift();
    const { db } = sealift.context;
    await sealift.client.post('/v1/sys/sync/destinations/hosting-project/site', {
      access_token: 'a-hidden-token',
      project_id: 'prj_1',
      deployment_environments: ['production'],
    });
    const role = `lacking_${process.pid}`;
    const url = new URL(sealift.environment['DATABASE_URL'] ?? '');
    url.username = role;
    url.password = 'hidden-pass-word';
    await db.raw(
      `CREATE ROLE ${role} LOGIN PASSWORD 'hidden-pass-word'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
       GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}; REVOKE UPDATE ON destinations FROM ${role}`,
    );
    const port = await choosePort(undefined);
    const environment = { ...sealift.environment, DATABASE_URL: url.href, LOG_LEVEL: 'info' };
    const api = await spawnProcess('programs/api/main.js', { ...environment, PORT: String(port) });
    try {
      const said = 'update on the table destinations (42501)';
      await eventually(async () => {
        const answer = await fetch(`${api.healthUrl}/health/ready`);
        expect(answer.status).to.equal(503);
        return expect(await answer.text()).to.contain(said);
      });
      const doctor = await runCommand(['doctor', '--no-egress', '--json'], environment);
      const { findings } = JSON.parse(doctor.stdout) as { findings: Finding[] };
      const finding = findings.find(({ detail }) => detail.includes(said));
      expect([finding?.check, finding?.state]).to.deep.equal(['changes', 'failed']);
      expect(finding?.advice).to.contain('grant');
      const client = createClient(`http://127.0.0.1:${port}`, sealift.token);
      const refused = await client.patch('/v1/sys/sync/destinations/hosting-project/site', {
        project_id: 'prj_2',
      });
      expect(refused.status).to.equal(503);
      expect(JSON.stringify(refused.body)).to.contain('(42501)').and.not.to.contain('table');
      await eventually(() => expect(api.output()).to.contain('"code":"42501","table":"table destinations"'));
      const status = await client.get('/v1/sys/status');
      expect(status.status).to.equal(200);
      expect(JSON.stringify(status.body)).to.contain(said);
      await db.raw(
        `REVOKE SELECT ON destinations FROM ${role}; REVOKE SELECT ON secret_versions FROM ${role}`,
      );
      const worse = await runCommand(['doctor', '--no-egress', '--json'], environment);
      expect(worse.stdout, worse.stderr).to.contain('select, update on the table destinations;');
      expect(doctor.stdout + api.output()).not.to.contain('hidden-pass-word');
    } finally {
      await api.kill();
      await db.raw(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await sealift.stop();
    }
  });
});
