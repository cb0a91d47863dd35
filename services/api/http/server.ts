import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from '../../../libs/config/config.ts';
import type { Log } from '../../../libs/log/log.ts';
import { mayUpgrade } from './upgrade.ts';

type Files = Pick<Config, 'TLS_CERT_FILE' | 'TLS_KEY_FILE'>;

// We poll the files, because tools that mount secrets replace a link in the path, and the file itself gets no event for
// that.
const WATCH_MS = 5000;

/**
 * Creates a server for http, or for https if the configuration names a certificate. Each new connection uses what the
 * files hold at that time. Throws a `ConfigError` if the files cannot be used at the start.
 */
export function createServer(listener: http.RequestListener, files: Files, log: Log): http.Server {
  const options = { requireHostHeader: false, shouldUpgradeCallback: mayUpgrade };
  if (!files.TLS_CERT_FILE) return rememberPeers(http.createServer(options, listener), 'connection');
  const server = https.createServer({ ...options, ...loadOrRefuse(files) }, listener);
  followFiles(server, files, log);
  return rememberPeers(server, 'secureConnection');
}

// Node asks the system for the address of a client only when somebody wants to know it, and keeps it. After a reset the
// system does not know it any more: a request that was read by then would come from nowhere, past the limits of addresses
// and in the audit trail.
function rememberPeers(server: http.Server, event: 'connection' | 'secureConnection'): http.Server {
  return server.prependListener(event, (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
}

function followFiles(server: https.Server, files: Files, log: Log): void {
  const reload = (): void => {
    try {
      server.setSecureContext(load(files));
      log.info('the certificate was reloaded');
    } catch (error) {
      // The two files are written one after the other. After the second change they fit together again.
      log.warn(
        { error },
        'the files of the certificate cannot be used; the API continues with the former certificate',
      );
    }
  };
  const paths = [files.TLS_CERT_FILE, files.TLS_KEY_FILE];
  for (const path of paths) watchFile(path, { interval: WATCH_MS, persistent: false }, reload);
  server.once('close', () => {
    for (const path of paths) unwatchFile(path, reload);
  });
}

function load({ TLS_CERT_FILE, TLS_KEY_FILE }: Files): { cert: Buffer; key: Buffer } {
  const pair = { cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) };
  createSecureContext(pair);
  return pair;
}

function loadOrRefuse(files: Files): { cert: Buffer; key: Buffer } {
  try {
    return load(files);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const advice = 'they must be PEM files: the certificate with its chain, and its key without a passphrase';
    throw new ConfigError([`TLS_CERT_FILE and TLS_KEY_FILE cannot be used (${code}); ${advice}`]);
  }
}
