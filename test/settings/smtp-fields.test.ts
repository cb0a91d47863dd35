import { expect } from 'chai';
import type { SMTPServerOptions } from 'smtp-server';
import { pointersOf, startAdmin, type AdminSealift } from './support/admin.ts';
import { smtpError, startMailServer, startSilentServer } from './support/mail-server.ts';

type Fault = { options?: SMTPServerOptions; sent?: object; field: string | undefined };

const LOGIN = { auth: 'plain', username: 'sealift', password: 'wrong' };

const FAULTS: Record<string, Fault> = {
  'refuses the connection': {
    options: { onConnect: (_session, done) => done(smtpError(554)) },
    field: 'host',
  },
  'hides its offer of STARTTLS': {
    options: { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] },
    sent: { starttls: 'required' },
    field: 'starttls',
  },
  'wants a login': { options: { authOptional: false }, field: 'auth' },
  'offers no login': { options: { disabledCommands: ['AUTH'] }, sent: LOGIN, field: 'auth' },
  'fails while it logs in': {
    options: { onAuth: (_auth, _session, done) => done(smtpError(454)) },
    sent: LOGIN,
    field: 'auth',
  },
  'refuses the login': { sent: LOGIN, field: 'username' },
  'refuses the sender': {
    options: { onMailFrom: (_address, _session, done) => done(smtpError(451)) },
    field: 'sender',
  },
  'cannot write the sender': {
    options: { hideSMTPUTF8: true },
    sent: { sender: 'jürgen@example.com' },
    field: 'sender',
  },
  'refuses the recipient': {
    options: { onRcptTo: (_address, _session, done) => done(smtpError(550)) },
    field: 'test-email-address',
  },
  'cannot write the recipient': {
    options: { hideSMTPUTF8: true },
    sent: { 'test-email-address': 'jürgen@example.com' },
    field: 'test-email-address',
  },
  'refuses the message': {
    options: {
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on('end', () => done(smtpError(554)));
      },
    },
    field: undefined,
  },
};

describe('the field that a refused test mail concerns', () => {
  let sealift: AdminSealift;

  before(async () => {
    sealift = await startAdmin();
  });

  after(() => sealift.stop());

  async function expectFault({ port, sent = {}, field }: Pick<Fault, 'sent' | 'field'> & { port: number }) {
    const answer = await sealift.change('smtp', {
      enabled: true,
      host: '127.0.0.1',
      port,
      sender: 'sealift@example.com',
      'test-email-address': 'admin@example.com',
      ...sent,
    });
    expect(answer.status, answer.text).to.be.oneOf([401, 500, 504]);
    expect(pointersOf(answer)).to.deep.equal([field && `/data/attributes/${field}`]);
  }

  for (const [what, { options, ...fault }] of Object.entries(FAULTS)) {
    it(`a server that ${what} is a fault of ${fault.field ?? 'no field'}`, async () => {
      const server = await startMailServer(options);
      await expectFault({ port: server.port, ...fault });
      await server.close();
    });
  }

  it('a server that cannot be reached, or does not answer, is a fault of host', async () => {
    const gone = await startMailServer();
    await gone.close();
    await expectFault({ port: gone.port, field: 'host' });
    await expectFault({ port: gone.port, sent: { host: 'mail.invalid' }, field: 'host' });
    const silent = await startSilentServer();
    await expectFault({ port: silent.port, field: 'host' });
    await silent.close();
  });
});
