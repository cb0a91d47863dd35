import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Database } from '../../../libs/db/connect.ts';
import { createCertificate, type Certificate } from './certificates.ts';

export type ReceivedMail = {
  from: string;
  to: string[];
  text: string;
  secure: boolean;
  user: string | undefined;
};

/** A real SMTP server on loopback that keeps all mails. It has the user `sealift` with the password `right`. */
export type MailServer = {
  port: number;
  mails: ReceivedMail[];
  /** All lines from clients. In `mails`, domains are decoded. */
  commands: string[];
  /** All login attempts. */
  logins: { method: string; user: string }[];
  close: () => Promise<void>;
};

let certificate: Promise<Certificate> | undefined;

/** The options override the server's own, so a test can make it refuse or hang at any step. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const note = (_: unknown, label: string, line?: string): void => {
    if (label === 'C:' && line) commands.push(line);
  };
  const logins: MailServer['logins'] = [];
  certificate ??= createCertificate('mail.test');
  const server = new SMTPServer({
    ...(await certificate),
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    closeTimeout: 100,
    logger: { level: note, trace: note, debug: note, info: note, warn: note, error: note, fatal: note },
    onAuth: (auth, _session, done) => {
      logins.push({ method: auth.method, user: auth.username ?? '' });
      if (auth.username === 'sealift' && auth.password === 'right')
        return done(null, { user: auth.username });
      done(new Error('Invalid username or password'));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          secure: session.secure,
          user: session.user as string | undefined,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    commands,
    logins,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Stores SMTP settings that lead to a server of this machine. */
export async function storeMailServer(db: Database, { port }: { port: number }): Promise<void> {
  await db('settings').insert({
    kind: 'smtp',
    attributes: JSON.stringify({ enabled: true, host: '127.0.0.1', port, sender: 'sealift@example.com' }),
  });
}

/** Accepts connections and never sends anything. */
export async function startSilentServer(): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** An error with the reply code of an SMTP server. */
export function smtpError(responseCode: number, message = 'refused by the test'): Error {
  return Object.assign(new Error(message), { responseCode });
}
