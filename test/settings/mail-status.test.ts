import { expect } from 'chai';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { runCommand } from '../cli/support.ts';
import { eventually } from '../support/eventually.ts';
import { startAdmin, type AdminSealift } from './support/admin.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';

const PASSWORD = 'hidden-pass-word';

describe('the mail server in the status and in doctor', () => {
  let sealift: AdminSealift;
  let server: MailServer;
  let refuses = false;

  before(async () => {
    server = await startMailServer({
      onAuth: (auth, _session, done) => {
        if (!refuses) return done(null, { user: auth.username });
        const text = `5.7.8 the password ${auth.password} is wrong`;
        done(Object.assign(new Error(text), { responseCode: 535 }));
      },
    });
    sealift = await startAdmin();
  });
  after(async () => {
    await sealift?.stop();
    await server?.close();
  });

  const readStatus = async (): Promise<Finding[]> =>
    (await sealift.client.get('/v1/sys/status')).body.data.findings;
  const runDoctor = async (): Promise<{ findings: Finding[]; text: string }> => {
    const { stdout } = await runCommand(['doctor', '--no-egress', '--json'], sealift.environment);
    return { findings: (JSON.parse(stdout) as { findings: Finding[] }).findings, text: stdout };
  };
  const mailOf = (findings: Finding[]): Finding | undefined => findings.find(({ check }) => check === 'mail');
  const settings = (more: Record<string, unknown> = {}) => ({
    enabled: true,
    host: '127.0.0.1',
    port: server.port,
    sender: 'sealift@example.com',
    auth: 'plain',
    username: 'sealift',
    password: PASSWORD,
    ...more,
  });

  it('an installation that sends no email says nothing about a mail server', async () => {
    expect(mailOf(await readStatus())).to.equal(undefined);
    expect(mailOf((await runDoctor()).findings)).to.equal(undefined);
  });

  it('a mail server that takes the login is told as good, and gets no mail by that', async () => {
    expect((await sealift.change('smtp', settings())).status).to.equal(200);
    await eventually(async () => expect(mailOf(await readStatus())?.state).to.equal('ok'));
    expect(mailOf((await runDoctor()).findings)?.detail).to.match(/accepts connections and the login$/);
    expect(server.mails).to.deep.equal([]);
  });

  it('a mail server without a login is not said to have taken one', async () => {
    expect((await sealift.change('smtp', settings({ auth: 'none' }))).status).to.equal(200);
    const without = /accepts connections; no login is set$/;
    await eventually(async () => without.test(mailOf(await readStatus())?.detail ?? ''));
    expect(mailOf((await runDoctor()).findings)?.detail).to.match(without);
  });

  it('a login that is refused is told with both codes of the server, and no password', async () => {
    refuses = true;
    expect((await sealift.change('smtp', settings({ sender: 'other@example.com' }))).status).to.equal(200);
    await eventually(async () => {
      const findings = await readStatus();
      expect(JSON.stringify(findings)).not.to.contain(PASSWORD);
      expect(mailOf(findings)?.detail).to.contain('SMTP code 535 5.7.8');
      return expect(mailOf(findings)).to.include({ state: 'failed' }).and.to.include.keys('advice');
    });
    const { findings, text } = await runDoctor();
    expect(mailOf(findings)?.detail).to.contain('SMTP code 535 5.7.8');
    expect(text).not.to.contain(PASSWORD);
    refuses = false;
  });

  it('an address of the mail server where nobody answers is told with what to do', async () => {
    expect((await sealift.change('smtp', settings({ port: 1 }))).status).to.equal(200);
    await eventually(async () => {
      const finding = mailOf(await readStatus());
      expect(finding?.state).to.equal('failed');
      return expect(finding?.advice).to.contain('host, port');
    });
  });
});
