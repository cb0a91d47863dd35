import { expect } from 'chai';
import type { SMTPServerOptions } from 'smtp-server';
import { startAdmin, pointersOf, type AdminSealift } from './support/admin.ts';
import { smtpError, startMailServer, startSilentServer, type MailServer } from './support/mail-server.ts';

const RECIPIENT = 'admin@example.com';

describe('SMTP settings', () => {
  let sealift: AdminSealift;
  const servers: { close: () => Promise<void> }[] = [];

  before(async () => {
    sealift = await startAdmin();
  });

  after(() => sealift.stop());

  beforeEach(() => sealift.forget('smtp'));

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function serve(options?: SMTPServerOptions): Promise<MailServer> {
    const server = await startMailServer(options);
    servers.push(server);
    return server;
  }

  const settings = (port: number, more: Record<string, unknown> = {}) => ({
    enabled: true,
    host: '127.0.0.1',
    port,
    sender: 'sealift@example.com',
    'test-email-address': RECIPIENT,
    ...more,
  });
  const login = (auth: string, password = 'right') => ({ auth, username: 'sealift', password });

  async function expectNothingStored(): Promise<void> {
    expect(await sealift.read('smtp')).to.include({ enabled: false, host: null, port: null, username: null });
  }

  it('a change sends one test message and is stored', async () => {
    const server = await serve({ disabledCommands: ['STARTTLS'] });
    const answer = await sealift.change('smtp', settings(server.port));
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.text).not.to.contain(RECIPIENT);
    expect(server.mails).to.have.length(1);
    expect(server.mails[0]).to.include({ from: 'sealift@example.com', secure: false, user: undefined });
    expect(server.mails[0]?.to).to.deep.equal([RECIPIENT]);
    expect(server.mails[0]?.text)
      .to.match(/^Subject: /m)
      .and.to.match(/^Date: /m)
      .and.to.match(/^Message-ID: /m);
    expect(await sealift.read('smtp')).to.include({ enabled: true, port: server.port });
  });

  it('a stored password is not sent to another server', async () => {
    const stored = { ...settings(25, login('plain')), host: 'mail.example', 'test-email-address': '' };
    expect((await sealift.change('smtp', stored)).status).to.equal(200);
    for (const change of [{ host: 'evil.example' }, { port: 2525 }]) {
      const answer = await sealift.change('smtp', change);
      expect(answer.status, answer.text).to.equal(422);
      expect(pointersOf(answer)).to.deep.equal(['/data/attributes/password']);
      expect((await sealift.change('smtp', { ...change, password: 'right' })).status).to.equal(200);
    }
    expect((await sealift.change('smtp', { host: 'EVIL.example' })).status).to.equal(200);
  });

  it('a stored password that is not in use is dropped with a change of the server', async () => {
    const stored = { host: 'mail.example', port: 25, sender: 'a@b.example', ...login('plain') };
    for (const unused of [{ enabled: false }, { enabled: true, auth: 'none' }]) {
      await sealift.forget('smtp');
      const kept = await sealift.change('smtp', { ...stored, ...unused });
      expect(kept.body.data.meta.set).to.deep.equal(['password']);
      const moved = await sealift.change('smtp', { host: 'other.example' });
      expect(moved.status, moved.text).to.equal(200);
      expect(moved.body.data.meta.set).to.deep.equal([]);
    }
    const enabled = await sealift.change('smtp', { enabled: true, auth: 'plain' });
    expect(enabled.status).to.equal(422);
    expect(pointersOf(enabled)).to.deep.equal(['/data/attributes/password']);
  });

  it('the worker uses STARTTLS where the server offers it', async () => {
    const server = await serve();
    expect((await sealift.change('smtp', settings(server.port))).status).to.equal(200);
    expect(server.mails[0]?.secure).to.equal(true);
  });

  it('no password and no mail reaches a server that hides its offer of STARTTLS', async () => {
    const server = await serve({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    for (const more of [login('plain'), { starttls: 'required' }]) {
      const answer = await sealift.change('smtp', settings(server.port, more));
      expect(answer.status, answer.text).to.equal(500);
      expect(answer.text).to.contain('set starttls to optional');
      await expectNothingStored();
    }
    expect([server.logins, server.mails]).to.deep.equal([[], []]);
    const accepted = { ...login('plain'), starttls: 'optional' };
    expect((await sealift.change('smtp', settings(server.port, accepted))).status).to.equal(200);
    expect(server.logins).to.have.length(1);
    expect(server.mails[0]?.secure).to.equal(false);
  });

  for (const auth of ['plain', 'login']) {
    it(`the worker logs in with ${auth}`, async () => {
      const server = await serve();
      const answer = await sealift.change('smtp', settings(server.port, login(auth)));
      expect(answer.status, answer.text).to.equal(200);
      expect(server.logins).to.deep.equal([{ method: auth.toUpperCase(), user: 'sealift' }]);
      expect(server.mails[0]?.user).to.equal('sealift');
    });
  }

  it('the worker does not log in where auth is none, though a password is stored', async () => {
    const server = await serve();
    await sealift.change('smtp', settings(server.port, { ...login('plain'), auth: 'none' }));
    expect(server.logins).to.deep.equal([]);
    expect(server.mails).to.have.length(1);
  });

  it('a later change that leaves the password out keeps it', async () => {
    const server = await serve();
    await sealift.change('smtp', settings(server.port, login('plain')));
    const later = await sealift.change('smtp', { 'test-email-address': RECIPIENT });
    expect(later.status).to.equal(200);
    expect(server.logins).to.have.length(2);
    expect(server.mails).to.have.length(2);
  });

  it('a refused login is answered with 401, the password is not repeated, and nothing is stored', async () => {
    const server = await serve();
    const answer = await sealift.change('smtp', settings(server.port, login('plain', 'wrong-password')));
    expect(answer.status).to.equal(401);
    expect(answer.body.errors[0].status).to.equal('401');
    expect(answer.text).not.to.contain('wrong-password');
    expect(server.mails).to.deep.equal([]);
    await expectNothingStored();
  });

  it('a server that wants a login we do not have is answered with 401', async () => {
    const server = await serve({ authOptional: false });
    const answer = await sealift.change('smtp', settings(server.port));
    expect(answer.status).to.equal(401);
    expect(answer.body.errors[0].detail)
      .to.match(/requires a login/)
      .and.not.to.match(/refused/);
    await expectNothingStored();
  });

  for (const [code, status, reason] of [
    [550, 401, /refused the user name or the password/],
    [554, 401, /refused the user name or the password/],
    [534, 401, /refused the user name or the password/],
    [538, 401, /requires .* encryption/],
    [454, 500, /replied to AUTH PLAIN with the SMTP code 454/],
    [502, 500, /replied to AUTH PLAIN with the SMTP code 502/],
    [504, 500, /replied to AUTH PLAIN with the SMTP code 504/],
  ] as const) {
    it(`a login that is replied to with ${code} is answered with ${status} and the reason`, async () => {
      const server = await serve({ onAuth: (_auth, _session, done) => done(smtpError(code)) });
      const answer = await sealift.change('smtp', settings(server.port, login('plain')));
      expect(answer.status, answer.text).to.equal(status);
      expect(answer.body.errors[0].detail).to.match(reason);
      await expectNothingStored();
    });
  }

  const failures: Record<string, SMTPServerOptions> = {
    'refuses the connection': { onConnect: (_session, done) => done(smtpError(554)) },
    'refuses the sender': { onMailFrom: (_address, _session, done) => done(smtpError(451)) },
    'refuses the recipient': { onRcptTo: (_address, _session, done) => done(smtpError(550)) },
    'fails while it logs in': { onAuth: (_auth, _session, done) => done(smtpError(454)) },
    'refuses the message': {
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on('end', () => done(smtpError(554)));
      },
    },
  };
  for (const [what, options] of Object.entries(failures)) {
    it(`a server that ${what} is answered with 500, and nothing is stored`, async () => {
      const server = await serve(options);
      const answer = await sealift.change('smtp', settings(server.port, login('plain')));
      expect(answer.status, answer.text).to.equal(500);
      expect(answer.body.errors[0].status).to.equal('500');
      await expectNothingStored();
    });
  }

  it('an address without a listener is answered with 500, and nothing is stored', async () => {
    const server = await startMailServer();
    await server.close();
    expect((await sealift.change('smtp', settings(server.port))).status).to.equal(500);
    await expectNothingStored();
  });

  it('a mail server that hangs is answered with 504 within 10 s, and nothing is stored', async () => {
    const silent = await startSilentServer();
    const hanging = await serve({ onRcptTo: () => undefined });
    servers.push(silent);
    const started = Date.now();
    const answers = await Promise.all([
      sealift.change('smtp', settings(silent.port)),
      sealift.change('smtp', settings(hanging.port)),
    ]);
    expect(Date.now() - started).to.be.lessThan(10_000);
    expect(answers.map(({ status }) => status)).to.deep.equal([504, 504]);
    expect(hanging.mails).to.deep.equal([]);
    await expectNothingStored();
  });

  it('settings that stay disabled send nothing, whatever they hold', async () => {
    const server = await serve();
    const answer = await sealift.change('smtp', { ...settings(server.port), enabled: false });
    expect(answer.status).to.equal(200);
    expect(server.mails).to.deep.equal([]);
  });

  it('settings without a test address are stored without a message', async () => {
    const server = await serve();
    const { 'test-email-address': _, ...untested } = settings(server.port);
    expect((await sealift.change('smtp', untested)).status).to.equal(200);
    expect(server.mails).to.deep.equal([]);
  });

  it('a domain that is not ASCII goes to the server and into the message as A-labels', async () => {
    const server = await serve();
    const answer = await sealift.change(
      'smtp',
      settings(server.port, { sender: 'sealift@bücher.example', 'test-email-address': 'ops@bücher.example' }),
    );
    expect(answer.status, answer.text).to.equal(200);
    expect(server.commands.join()).to.match(
      /FROM:<sealift@xn--bcher-kva\.example>.*TO:<ops@xn--bcher-kva\.example>/,
    );
    expect(server.mails[0]?.text).to.match(/^To: ops@xn--bcher-kva\.example\r?$/m);
    expect(server.mails[0]?.text).to.match(/^\p{ASCII}*$/u);
    expect(await sealift.read('smtp')).to.include({ sender: 'sealift@bücher.example' });
  });

  it('a recipient that is not ASCII before the @ is sent only with SMTPUTF8', async () => {
    const modern = await serve();
    const recipient = { 'test-email-address': 'jürgen@bücher.example' };
    expect((await sealift.change('smtp', settings(modern.port, recipient))).status).to.equal(200);
    expect(modern.commands.join()).to.match(/FROM:<.*> .*SMTPUTF8.*TO:<jürgen@xn--bcher-kva\.example>/);
    const old = await serve({ hideSMTPUTF8: true });
    const answer = await sealift.change('smtp', settings(old.port, recipient));
    expect(answer.status).to.equal(500);
    expect(answer.body.errors[0].detail).to.match(/does not offer SMTPUTF8/);
    expect(old.mails).to.deep.equal([]);
  });

  it('a domain that no mail can be sent to is refused with 422', async () => {
    const long = `${'ü'.repeat(70)}.example`;
    for (const domain of ['a\u200b.example', 'xn--a\u00fc.example', '\ud800.example', long]) {
      const answer = await sealift.change('smtp', settings(25, { sender: `ops@${domain}` }));
      expect(answer.status, JSON.stringify(domain)).to.be.oneOf([400, 422]);
    }
  });

  it('no password is sent to a server that did not offer this type of login', async () => {
    for (const options of [{ disabledCommands: ['AUTH'] }, { authMethods: ['LOGIN'] }]) {
      const server = await serve(options);
      const answer = await sealift.change('smtp', settings(server.port, login('plain')));
      expect(answer.status).to.equal(500);
      expect(answer.body.errors[0].detail).to.match(/does not offer the type of login in auth \(plain\)/);
      expect(server.logins).to.deep.equal([]);
    }
    await expectNothingStored();
  });

  it('an address cannot smuggle in a header or a recipient', async () => {
    const server = await serve();
    const answer = await sealift.change(
      'smtp',
      settings(server.port, { sender: 'a@b.example\r\nBcc: c@d.example' }),
    );
    expect(pointersOf(answer)).to.deep.equal(['/data/attributes/sender']);
    expect(server.mails).to.deep.equal([]);
  });

  it('each request sends one message, and nothing is lost where several come at once', async () => {
    const server = await serve();
    await sealift.change('smtp', settings(server.port));
    server.mails.length = 0;
    const again = { 'test-email-address': RECIPIENT };
    const answers = await Promise.all([
      sealift.change('smtp', { ...again, sender: 'first@example.com' }),
      sealift.change('smtp', { ...again, username: 'second' }),
      sealift.change('smtp', { ...again, password: 'third' }),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(server.mails).to.have.length(3);
    expect(await sealift.read('smtp')).to.include({ sender: 'first@example.com', username: 'second' });
  });
});
